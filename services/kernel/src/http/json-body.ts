import type { FastifyInstance } from 'fastify'
import type { Turns } from '../async/turns.ts'
import { Refused } from './problem.ts'
import { isStorable } from './storable-text.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a body of JSON, as it came. */
    bodyBytes: number
  }
}

/** No form and no flow of ours comes near it; code that walks a body may then recurse. */
const deepest = 32

/** What is longer than any other body is read in a turn of its own: it holds up the process for as long as it takes. */
const largeCharacters = 64 * 1024
/** Values that a large body has, at most, as far as its signs tell: 2 MB of brackets take ten times as long as 2 MB of text. */
const maxValues = 200_000
const [array, object, comma] = ['[', '{', ','].map((sign) => sign.charCodeAt(0))

const requireFewValues = (text: string): void => {
  let found = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === comma || sign === array || sign === object) found += 1
  }
  if (found > maxValues) throw new Refused('body_too_many_values')
}

/** Throws on what nests too deep, and on text that PostgreSQL cannot hold: NUL, and halves of characters. */
const requireSound = (body: unknown): void => {
  let level: unknown[] = [body]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw new Refused('body_too_deep')
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value === 'string') requireText(value)
      else if (Array.isArray(value)) for (const each of value) next.push(each)
      else if (value && typeof value === 'object')
        for (const [name, each] of Object.entries(value)) {
          requireText(name)
          next.push(each)
        }
    }
    level = next
  }
}

const requireText = (text: string): void => {
  if (!isStorable(text)) throw new Refused('malformed_body')
}

/**
 * Reads JSON: at most 32 levels, nothing that poisons prototypes, no text that cannot be stored. Of large bodies one is read for each
 * iteration of the event loop.
 */
export const parseJsonBodies = (app: FastifyInstance, turns: Turns): void => {
  app.decorateRequest('bodyBytes', 0)
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, given, done) => {
    const text = String(given)
    // Browsers send the content type 'JSON' also without a body: that is no body, not a malformed one.
    if (text === '') return done(null, undefined)
    request.bodyBytes = Buffer.byteLength(text)
    const read = () =>
      parse(request, text, (error, body: unknown) => {
        if (error) return done(error)
        try {
          requireSound(body)
          done(null, body)
        } catch (refused) {
          done(refused as Error)
        }
      })
    if (text.length <= largeCharacters) return read()
    const readLarge = () => {
      requireFewValues(text)
      read()
    }
    turns
      .next(request.signedIn?.id ?? request.ip)
      .then(readLarge)
      .catch(done)
  })
}

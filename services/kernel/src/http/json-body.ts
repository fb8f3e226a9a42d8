import type { FastifyInstance } from 'fastify'
import type { Turns } from '../async/turns.ts'
import { Refused } from './problem.ts'
import { isStorable } from './storable-text.ts'

declare module 'fastify' {
  interface FastifyRequest {
    bodyBytes: number
  }
}

/** Permits recursion over a body. */
const deepest = 32

/** Larger bodies are parsed in a turn of their own, as parsing blocks the event loop. */
const largeCharacters = 64 * 1024
/** Estimated: 2 MB of brackets take ten times as long as of text. */
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

/** Checks depth, and text that PostgreSQL cannot store: NUL, lone surrogates. */
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

/** Rejects deep nesting, prototype poisoning and unstorable text. Parses one large body per iteration of the event loop. */
export const parseJsonBodies = (app: FastifyInstance, turns: Turns): void => {
  app.decorateRequest('bodyBytes', 0)
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, given, done) => {
    const text = String(given)
    // Browsers send the content type without a body too.
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

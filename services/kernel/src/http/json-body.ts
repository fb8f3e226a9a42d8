import type { FastifyInstance } from 'fastify'
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

/** Reads JSON: at most 32 levels, nothing that poisons prototypes, no text that cannot be stored. */
export const parseJsonBodies = (app: FastifyInstance): void => {
  app.decorateRequest('bodyBytes', 0)
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    // Browsers send the content type 'JSON' also without a body: that is no body, not a malformed one.
    if (text === '') return done(null, undefined)
    request.bodyBytes = Buffer.byteLength(text)
    parse(request, String(text), (error, body: unknown) => {
      if (error) return done(error)
      try {
        requireSound(body)
        done(null, body)
      } catch (refused) {
        done(refused as Error)
      }
    })
  })
}

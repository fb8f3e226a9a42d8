import { scrub } from './scrub.ts'
import { serializeError } from './serialize-error.ts'

const deepest = 5
const maxEntries = 50

const personal = new Set(
  `authorization body chatjid content cookie cookies cpf cnpj data detail displayname document email firstname fullname
   headers hint internalquery jid lastname link name parameters params password payload phone phonenumber pushname qr query
   rawheaders reply req request res resetlink response secret set-cookie socket text tojid token values where`.split(
    /\s+/,
  ),
)
const isPersonal = (key: string) => personal.has(key.toLowerCase())

const isPlain = (value: object) => [Object.prototype, null].includes(Object.getPrototypeOf(value))

const redactValue = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return scrub(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? '[function]' : value
  if (value instanceof Error) return serializeError(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : value.toISOString()
  if (depth === deepest) return '[…]'
  if (Array.isArray(value)) return value.slice(0, maxEntries).map((each) => redactValue(each, depth + 1))
  return isPlain(value) ? redactFields(value, depth + 1) : `[${value.constructor.name}]`
}

/** Errors that are strings may quote anything. */
const isErrorKey = (key: string) => key === 'err' || key === 'error' || key === 'cause'

const redactFields = (fields: object, depth: number): Record<string, unknown> => {
  const redacted: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(fields).slice(0, maxEntries)) {
    if (value === undefined) continue
    if (isPersonal(key)) redacted[key] = '[removed]'
    else redacted[scrub(key)] = isErrorKey(key) && typeof value === 'string' ? '[removed]' : redactValue(value, depth)
  }
  return redacted
}

/** Removes personal data and secrets by field name, form and origin. */
export const redact = (fields: object): Record<string, unknown> => redactFields(fields, 0)

import { scrub } from './scrub.ts'
import { toldError } from './told-error.ts'

const deepest = 5
const mostEntries = 50

/** Fields that hold what people are called, wrote or may know. Things are named by id in the log. */
const personal = new Set(
  `authorization body chatjid content cookie cookies cpf cnpj data detail displayname document email firstname fullname
   headers hint internalquery jid lastname link name parameters params password payload phone phonenumber pushname qr query
   rawheaders reply req request res resetlink response secret set-cookie socket text tojid token values where`.split(
    /\s+/,
  ),
)
const isPersonal = (key: string) => personal.has(key.toLowerCase())

const isPlain = (value: object) => [Object.prototype, null].includes(Object.getPrototypeOf(value))

const toldValue = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return scrub(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? '[function]' : value
  if (value instanceof Error) return toldError(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : value.toISOString()
  if (depth === deepest) return '[…]'
  if (Array.isArray(value)) return value.slice(0, mostEntries).map((each) => toldValue(each, depth + 1))
  return isPlain(value) ? toldFields(value, depth + 1) : `[${value.constructor.name}]`
}

/** An error that is no `Error` is text from who knows where. */
const isErrorKey = (key: string) => key === 'err' || key === 'error' || key === 'cause'

const toldFields = (fields: object, depth: number): Record<string, unknown> => {
  const told: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(fields).slice(0, mostEntries)) {
    if (value === undefined) continue
    if (isPersonal(key)) told[key] = '[removed]'
    else told[scrub(key)] = isErrorKey(key) && typeof value === 'string' ? '[removed]' : toldValue(value, depth)
  }
  return told
}

/** The fields of a line as they may be told: what is personal or secret by its field, its form or its origin is gone. */
export const told = (fields: object): Record<string, unknown> => toldFields(fields, 0)

import type { Endpoint } from '@prosa/contracts/http/endpoint'
import { notKnownYetMark } from '@prosa/contracts/http/not-known-yet'
import { z } from 'zod'

/** Path such as `[0].line`. */
export interface Difference {
  at: string
  before: unknown
  after: unknown
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const idOf = (value: unknown) => (isObject(value) && typeof value.id === 'string' ? value.id : '')
const byId = (list: readonly unknown[]) => list.toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1))

/** Additions in `after` and the order of lists count only if `isWhole`. */
export const differences = (before: unknown, after: unknown, isWhole: boolean, at = ''): Difference[] => {
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return [{ at: `${at}.length`, before: before.length, after: after.length }]
    const [one, other] = isWhole || !before.every(idOf) ? [before, after] : [byId(before), byId(after)]
    return one.flatMap((each, index) => differences(each, other[index], isWhole, `${at}[${index}]`))
  }
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...(isWhole ? Object.keys(after) : [])])
    return [...names].flatMap((name) => differences(before[name], after[name], isWhole, `${at}.${name}`))
  }
  return Object.is(before, after) ? [] : [{ at, before, after }]
}

const markedIn = (schema: unknown, marked: Set<string> = new Set()): Set<string> => {
  if (Array.isArray(schema)) for (const each of schema) markedIn(each, marked)
  if (!isObject(schema)) return marked
  for (const [name, property] of Object.entries(isObject(schema.properties) ? schema.properties : {}))
    if (isObject(property) && property[notKnownYetMark]) marked.add(name)
  for (const part of Object.values(schema)) markedIn(part, marked)
  return marked
}

const notKnownYetFields = ({ replies }: Endpoint): ReadonlySet<string> =>
  replies[200] ? markedIn(z.toJSONSchema(replies[200], { unrepresentable: 'any', io: 'output' })) : new Set()

/** The earlier value was declared unknown: null in a marked field, elsewhere by naming unbuilt read models. */
export const isDeclared = (endpoint: Endpoint, { at, before }: Difference, namesUnbuilt: boolean): boolean =>
  notKnownYetFields(endpoint).has(at.split('.').at(-1) ?? '') ? before === null : namesUnbuilt

import type { Pool } from 'pg'
import { type Scope, withBelongings } from '../queries.ts'
import { parseRecordKey, recordKey } from '../records.ts'
import {
  type FoundRecord,
  findByCodes,
  findByEmail,
  findByMoment,
  findByReason,
  findByShortCodes,
  findPeople,
  findThings,
} from './queries.ts'
import type { Moment, TextParts } from './text-parts.ts'

/** Shown as a choice. */
const maxFound = 20

export interface FoundByText {
  scope: Scope
  /** Without names where only a code is known. */
  found: readonly (Omit<FoundRecord, 'name'> & { name: string | null })[]
}

const scopeOf = async (pool: Pool, records: readonly string[], more: Partial<Scope>): Promise<Scope> => ({
  accounts: records.map(parseRecordKey).flatMap(({ kind, id }) => (kind === 'user' ? [id] : [])),
  records: records.length === 0 ? [] : await withBelongings(pool, records),
  correlations: [],
  events: [],
  ...more,
})

/** Of a pasted line: what was recorded then, and what of it the line's codes name. */
const eventsAt = async (pool: Pool, moments: readonly Moment[], { records, accounts, correlations, events }: Scope) => {
  const found = (await Promise.all(moments.map((moment) => findByMoment(pool, moment)))).flat()
  const named = found.filter(
    ({ id, record, account, correlationId }) =>
      records.includes(record) ||
      (account !== null && accounts.includes(account)) ||
      correlations.includes(correlationId) ||
      events.includes(id),
  )
  return { all: found.map(({ id }) => id), named: named.map(({ id }) => id) }
}

/** Codes and addresses are sharper than words: people, things and reasons are searched only without them. */
export const scopeOfText = async (pool: Pool, parts: TextParts): Promise<FoundByText> => {
  const { codes, shortCodes, emails, moments, names, things, words } = parts
  const [byCode, byShortCode] = [await findByCodes(pool, codes), await findByShortCodes(pool, shortCodes)]
  const byEmail = (await Promise.all(emails.map((email) => findByEmail(pool, email)))).flat()
  const events = [...byCode.events, ...byShortCode.events]
  const { correlations } = byCode
  const ofCodes = [...byCode.records, ...byShortCode.records]
  const isSharp = ofCodes.length + events.length + correlations.length + byEmail.length > 0
  const byName = async () =>
    (
      await Promise.all([
        ...names.map((name) => findPeople(pool, name)),
        ...things.map((name) => findThings(pool, name)),
      ])
    ).flat()
  const people = isSharp ? byEmail : await byName()
  // An address is personal: as words it would be searched in texts.
  const reasons = isSharp || emails.length > 0 ? [] : await findByReason(pool, words)
  const records = [...new Set([...ofCodes, ...people.map(({ kind, id }) => recordKey(kind, id))])]
  const nameOf = new Map(people.map(({ kind, id, name }) => [recordKey(kind, id), name]))
  const scope = await scopeOf(pool, records, { correlations, events: [...events, ...reasons] })
  const then = await eventsAt(pool, moments, scope)
  const ofLine = isSharp ? then.named : then.all
  return {
    scope: ofLine.length > 0 ? { ...scope, accounts: [], records: [], correlations: [], events: ofLine } : scope,
    found: records.slice(0, maxFound).map((key) => ({ ...parseRecordKey(key), name: nameOf.get(key) ?? null })),
  }
}

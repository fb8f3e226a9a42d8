import { type HistoryQuery, type HistorySearch, historyActors } from '@prosa/contracts/http/history'
import type { Pool } from 'pg'
import { instantsOf } from '../sorting.ts'
import { type Scope, scopeOfRecord, scopeOfTenant, type ThreadsAsked } from './queries.ts'
import { parseRecordKey, recordKey } from './records.ts'
import { type FoundByText, scopeOfText } from './search/scope-of-text.ts'
import { codesIn, textParts } from './search/text-parts.ts'

const actorOf = (actor: HistoryQuery['actor']): ThreadsAsked['actor'] => {
  if (actor === undefined) return undefined
  const kind = historyActors.find((known) => known === actor)
  return kind ? { kind } : { account: actor }
}

export interface HistoryFilters extends Omit<HistorySearch, 'text' | 'cursor'> {
  text?: string | undefined
  /** Searched for codes alone. */
  codes?: string | undefined
}

export interface Asked {
  threads: Omit<ThreadsAsked, 'limit' | 'before'>
  found: FoundByText['found']
}

/** A text covers all records: it finds what it names wherever it is. */
const scopeOf = async (pool: Pool, { record, text, codes, tenant }: HistoryFilters) => {
  if (text !== undefined) return scopeOfText(pool, textParts(text))
  if (codes !== undefined) return scopeOfText(pool, codesIn(codes))
  if (record !== undefined) {
    const { kind, id } = parseRecordKey(record)
    return { scope: await scopeOfRecord(pool, kind, id), found: [] }
  }
  return { scope: tenant === undefined ? undefined : await scopeOfTenant(pool, tenant), found: [] }
}

const withinOf = async (
  pool: Pool,
  { tenant, record, text, codes }: HistoryFilters,
): Promise<ThreadsAsked['within']> => {
  if (tenant === undefined || (record ?? text ?? codes) === undefined) return undefined
  const { records }: Scope = await scopeOfRecord(pool, 'user', tenant)
  return { tenant, records: [...records, recordKey('user', tenant)] }
}

export const askedOf = async (pool: Pool, filters: HistoryFilters): Promise<Asked> => {
  const { group, actor, from, to } = filters
  const { scope, found } = await scopeOf(pool, filters)
  return {
    threads: {
      scope,
      group,
      actor: actorOf(actor),
      within: await withinOf(pool, filters),
      ...instantsOf({ from, to }),
    },
    found,
  }
}

import type { HistoryRecord } from '@prosa/contracts/http/history'
import { historyRecordKinds } from '@prosa/contracts/http/history'
import { later } from '@prosa/kernel/clock'
import type { Pool } from 'pg'
import { findContactsOfAll } from '../../contact-directory/queries.ts'
import { findUsers } from '../../users/queries.ts'
import { beginningWith, wordsIn } from '../../word-index.ts'
import { parseRecordKey, recordKey } from '../records.ts'
import type { Moment } from './text-parts.ts'

export interface FoundByCodes {
  /** Keys. */
  records: string[]
  correlations: string[]
  events: string[]
}

const kindsOf = (codes: readonly string[]): string[] =>
  codes.flatMap((code) => historyRecordKinds.map((kind) => recordKey(kind, code)))

const bothCases = (codes: readonly string[]) => [...new Set(codes.flatMap((code) => [code, code.toLowerCase()]))]

/** Of those that exist. `codes`: at most 20, without personal values. */
export const findByCodes = async (pool: Pool, codes: readonly string[]): Promise<FoundByCodes> => {
  if (codes.length === 0) return { records: [], correlations: [], events: [] }
  const both = bothCases(codes)
  const keys = [...kindsOf(both), ...both.filter((code) => historyRecordKinds.includes(parseRecordKey(code).kind))]
  const { rows } = await pool.query<{ as: keyof FoundByCodes; value: string }>({
    name: 'what codes name',
    text: `select 'records' as "as", record as value from history_link where lower(reference) = any($3)
           union all
           select 'records', record from history_link where record = any($1)
           union all
           select 'records', found.record from unnest($1::text[]) as wanted (key) cross join lateral (
             -- A range in its order: by an estimate of equal values the table would be read from end to end.
             select record from history_place
             where record >= key collate "C" and record <= key collate "C" order by record limit 1
           ) as found
           union all
           select 'records', 'user:' || found.account from unnest($2::text[]) as wanted (code) cross join lateral (
             select account from history_place
             where account >= code collate "C" and account <= code collate "C" order by account limit 1
           ) as found
           union all
           select 'correlations', found.correlation_id from unnest($2::text[]) as wanted (code) cross join lateral (
             select correlation_id from history_place
             where correlation_id >= code collate "C" and correlation_id <= code collate "C"
             order by correlation_id limit 1
           ) as found
           union all
           select 'events', id from history_place where id = any($2)`,
    values: [keys, both, codes.map((code) => code.toLowerCase())],
  })
  const of = (as: keyof FoundByCodes) => [...new Set(rows.filter((row) => row.as === as).map(({ value }) => value))]
  return { records: of('records'), correlations: of('correlations'), events: of('events') }
}

/** By the first characters of an id; the first ones of many. */
export const findByShortCodes = async (pool: Pool, codes: readonly string[]): Promise<FoundByCodes> => {
  if (codes.length === 0) return { records: [], correlations: [], events: [] }
  const { rows } = await pool.query<{ as: 'records' | 'events'; value: string }>({
    name: 'what short codes name',
    text: `select 'records' as "as", found.value from unnest($1::text[]) as wanted (start) cross join lateral (
             select distinct value from (
               select record as value from history_place
               where record >= start collate "C" and record < (start || chr(127)) collate "C" order by record limit 500
             ) as many limit 5
           ) as found
           union all
           select 'records', 'user:' || found.value from unnest($2::text[]) as wanted (start) cross join lateral (
             select distinct value from (
               select account as value from history_place
               where account >= start collate "C" and account < (start || chr(127)) collate "C" order by account limit 500
             ) as many limit 5
           ) as found
           union all
           select 'events', found.id from unnest($2::text[]) as wanted (start) cross join lateral (
             select id from history_place
             where id >= start collate "C" and id < (start || chr(127)) collate "C" order by id limit 5
           ) as found`,
    values: [kindsOf(codes), codes],
  })
  const of = (as: 'records' | 'events') => [...new Set(rows.filter((row) => row.as === as).map(({ value }) => value))]
  return { records: of('records'), correlations: [], events: of('events') }
}

const maxPeople = 10
/** Bounds look-ups of one search. */
export const maxReasons = 300
const hourMs = 3_600_000

export type FoundRecord = HistoryRecord

export interface EventAtMoment {
  id: string
  record: string
  account: string | null
  correlationId: string
}

/** What was recorded then; an effect belongs to a thread that began at most an hour before. */
export const findByMoment = async (pool: Pool, { from, to }: Moment): Promise<EventAtMoment[]> => {
  const { rows } = await pool.query<EventAtMoment>({
    name: 'events of a moment',
    text: `select id, record, account, correlation_id as "correlationId" from history_place
           where thread_at > $1 and thread_at < $2 and recorded_at >= $3 and recorded_at < $4
           order by thread_at, thread limit $5`,
    values: [later(from, -hourMs), later(to, hourMs), from, to, maxReasons],
  })
  return rows
}

/** Connections, flows, folders and plans of exactly this name. */
export const findThings = async (pool: Pool, name: string): Promise<FoundRecord[]> => {
  const { rows } = await pool.query<FoundRecord>({
    name: 'things by name',
    text: `(select 'connection' as kind, id, name from connection where lower(name) = lower($1) and not is_removed limit $2)
           union all
           (select 'flow', id, name from flow where lower(name) = lower($1) limit $2)
           union all
           (select 'folder', id, name from flow_folder where lower(name) = lower($1) limit $2)
           union all
           (select 'plan', id, plan_name from plan where lower(plan_name) = lower($1) limit $2)`,
    values: [name, maxPeople],
  })
  return rows
}

/** Of orders, also hidden ones, without who was erased. `words`: of `beginningWith`; `email`: in lower case, or null. */
const findBuyers = async (
  pool: Pool,
  words: string | null,
  email: string | null,
  limit: number,
): Promise<FoundRecord[]> => {
  if (words === null) return []
  const { rows } = await pool.query<{ id: string; name: string }>({
    name: 'orders by buyer',
    text: `with found as materialized (
             select id, transaction_id, created_at, buyer_email from kiwify_transaction
             where ${wordsIn('words')} @@ $1::tsquery and not is_buyer_erased
           )
           select id, transaction_id as name from found where $2::text is null or lower(buyer_email) = $2
           order by created_at desc, id desc limit $3`,
    values: [words, email, limit],
  })
  return rows.map(({ id, name }) => ({ kind: 'order' as const, id, name }))
}

/** Accounts, contacts and buyers of orders; nobody who was erased: their rows are gone. */
export const findPeople = async (pool: Pool, name: string): Promise<FoundRecord[]> => {
  const [users, contacts, buyers] = await Promise.all([
    findUsers(pool, { search: name, limit: maxPeople }),
    findContactsOfAll(pool, { search: name, limit: maxPeople }),
    findBuyers(pool, beginningWith(name), null, maxPeople),
  ])
  return [
    ...users.map(({ id, firstName, lastName }) => ({ kind: 'user' as const, id, name: `${firstName} ${lastName}` })),
    ...contacts.flatMap(({ id, name: shown, phone }) => {
      const known = shown ?? phone
      return known === null ? [] : [{ kind: 'contact' as const, id, name: known }]
    }),
    ...buyers,
  ]
}

/** Exactly this address, of accounts and buyers. */
export const findByEmail = async (pool: Pool, email: string): Promise<FoundRecord[]> => {
  const words = beginningWith(email)
  if (words === null) return []
  const users = await findUsers(pool, { search: email, limit: maxPeople })
  const buyers = await findBuyers(pool, words, email, 50)
  return [
    ...users
      .filter((user) => user.email.toLowerCase() === email)
      .map(({ id, firstName, lastName }) => ({ kind: 'user' as const, id, name: `${firstName} ${lastName}` })),
    ...buyers,
  ]
}

/** Events whose reason has all of these words, or words that begin so; the latest of many. */
export const findByReason = async (pool: Pool, words: string): Promise<string[]> => {
  const wanted = beginningWith(words)
  if (wanted === null) return []
  const { rows } = await pool.query<{ id: string }>({
    name: 'events by reason',
    text: `with found as materialized (
             select id, place from history_reason where ${wordsIn('words')} @@ $1::tsquery
           )
           select id from found order by place desc limit $2`,
    values: [wanted, maxReasons],
  })
  return rows.map(({ id }) => id)
}

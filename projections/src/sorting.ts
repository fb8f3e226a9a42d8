import type { BuiltQuery } from '@prosa/kernel/postgres/built-statement'
import { z } from 'zod'
import { decodeCursor } from './cursor.ts'

/** An expression that an index begins with, followed by `id`; never null. */
export interface SortColumn {
  expression: string
  type: 'text' | 'float8'
}

export interface Sort<By extends string> {
  by: By
  descending: boolean
}

/** Of the last row of a page. */
export interface SortKey {
  sortKey: string
  id: string
}

/** Rows with equal values follow by id. `after`: exclusive. */
export const sorted = (
  query: BuiltQuery,
  { expression, type }: SortColumn,
  descending: boolean,
  after: SortKey | undefined,
): BuiltQuery => {
  const direction = descending ? 'desc' : 'asc'
  if (after) query.whereRaw(`(${expression}, id) ${descending ? '<' : '>'} (?::${type}, ?)`, [after.sortKey, after.id])
  return query.orderByRaw(`${expression} ${direction}, id ${direction}`)
}

const sortKeys = {
  text: z.string().regex(/^[^\0]{0,2000}$/),
  /** Of what a column of amounts has: more would be out of the range of float8. */
  float8: z.string().regex(/^-?\d{1,15}$/),
}

/** Refuses one that was made for another column. */
export const afterOf = ({ type }: SortColumn, cursor: string | undefined): SortKey | undefined => {
  if (cursor === undefined) return undefined
  const [sortKey, id] = decodeCursor(cursor, z.tuple([sortKeys[type], z.string().regex(/^[\w.-]{1,100}$/)]))
  return { sortKey, id }
}

export const cursorOf = ({ sortKey, id }: SortKey): readonly string[] => [sortKey, id]

/** Days in São Paulo (UTC−3 since 2019), as instants; `to` is exclusive. */
export const instantsOf = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  from: from && beginningOf(from).toISOString(),
  to: to && new Date(beginningOf(to).getTime() + 24 * 3600 * 1000).toISOString(),
})

const beginningOf = (day: string): Date => new Date(`${day}T00:00:00-03:00`)

/** Descending by default. */
export const sortOf = <By extends string>(
  { sort, order }: { sort?: By | undefined; order?: 'asc' | 'desc' | undefined },
  usual: By,
): Sort<By> => ({ by: sort ?? usual, descending: order !== 'asc' })

import { z } from 'zod'
import type { EventType } from '../../events/all-events.ts'
import { type FieldMeta, metaOf } from '../field.ts'

export interface Column {
  schema: z.ZodType
  /** Stored types that it comes from, and published ones that say the same. */
  from: readonly EventType[]
}

type Columns = Record<string, Column>

export interface PublishedTable<C extends Columns = Columns> {
  name: string
  /** Portuguese. */
  sentence: string
  /** Day of the release. */
  since: string
  /** Columns that name a row: what is read again replaces the row with the same. */
  key: readonly (keyof C & string)[]
  /** Of a row. Personal columns are absent without them. */
  schema: z.ZodObject<{ [N in keyof C]: C[N]['schema'] }>
  columns: readonly (FieldMeta & { name: string; from: readonly EventType[] })[]
}

export const column = <S extends z.ZodType>(from: readonly EventType[], schema: S) => ({ schema, from })

export const publishedTable = <const C extends Columns>(
  name: string,
  sentence: string,
  key: readonly (keyof C & string)[],
  columns: C,
): PublishedTable<C> => ({
  name,
  sentence,
  since: '2026-11-27',
  key,
  schema: z.object(
    Object.fromEntries(Object.entries(columns).map(([column, { schema }]) => [column, schema])),
  ) as PublishedTable<C>['schema'],
  columns: Object.entries(columns).map(([column, { schema, from }]) => ({ name: column, ...metaOf(schema), from })),
})

/** A row as it is read, without or with personal columns. */
export type RowOf<T extends PublishedTable> = z.output<T['schema']>

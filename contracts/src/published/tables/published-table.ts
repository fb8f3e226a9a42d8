import { z } from 'zod'
import type { EventType } from '../../events/all-events.ts'
import { type FieldMeta, metaOf } from '../field.ts'

export interface Column {
  schema: z.ZodType
  /** Stored types that it comes from, and published ones that say the same. */
  from: readonly EventType[]
}

/** `time`: ISO 8601 in UTC with milliseconds; `date`: `2026-11-27`. */
export type ColumnType = 'text' | 'integer' | 'boolean' | 'time' | 'date'

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
  columns: readonly (FieldMeta & { name: string; type: ColumnType; from: readonly EventType[] })[]
}

const typeOf = (schema: z.ZodType): ColumnType => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return typeOf(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodBoolean) return 'boolean'
  if (schema instanceof z.ZodNumber) return 'integer'
  if (schema instanceof z.ZodISODateTime) return 'time'
  return schema instanceof z.ZodISODate ? 'date' : 'text'
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
  columns: Object.entries(columns).map(([column, { schema, from }]) => ({
    ...{ name: column, type: typeOf(schema), from },
    ...metaOf(schema),
  })),
})

/** A row as it is read, without or with personal columns. */
export type RowOf<T extends PublishedTable> = z.output<T['schema']>

import type { IdKind } from '@prosa/contracts/published/field'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Pool } from 'pg'

export interface Showing {
  /** As published; null stays null. */
  id<V extends string | null>(kind: IdKind, value: V): V
  withPersonal: boolean
}

export type Shown<Row, Published> = (row: Row, showing: Showing) => Published

/** What of one tenant's rows is wanted. */
export interface Asked {
  tenant: string
  /** Rows that changed after it; '' is the beginning. */
  after: string
  /** From when the answer before counted, where rows change by time; undefined: none. */
  afterTime: Instant | undefined
  /** Rows that changed later come in the next answer. */
  upTo: string
  now: Instant
  withPersonal: boolean
  updatedSince: Instant | undefined
  updatedBefore: Instant | undefined
}

export interface AnalyticTable {
  /** The first is the one whose positions count; the others are read for names and texts. */
  readModel: string
  rows(pool: Pool, asked: Asked): AsyncGenerator<readonly { show: (showing: Showing) => Record<string, unknown> }[]>
}

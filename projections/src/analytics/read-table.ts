import { setImmediate as iteration } from 'node:timers/promises'
import { type IdKind, kindsOfPlatform } from '@prosa/contracts/published/field'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Pseudonyms } from '@prosa/product/publishing/pseudonyms'
import type { Pool } from 'pg'
import type { AnalyticTable, Showing } from './analytic-table.ts'
import { tenantsOf } from './pages.ts'
import { afterOf, type TablePosition } from './position.ts'

export type TableRecord = Readonly<Record<string, unknown>>

export interface TableQuestion {
  table: AnalyticTable & { stored: string }
  /** Null: all tenants. */
  tenantId: string | null
  /** As in the rows; undefined: all. */
  tenant: string | undefined
  /** Where the answer before ended. */
  before: TablePosition | undefined
  /** Where this one ends. */
  current: TablePosition
  since: Instant | undefined
  until: Instant | undefined
  withPersonal: boolean
  pseudonyms: Pseudonyms
  /** False ends the answer. */
  mayGoOn: () => Promise<boolean>
}

const showingOf = async (tenantId: string, { withPersonal, pseudonyms }: TableQuestion): Promise<Showing> => {
  const pseudonym = await pseudonyms.of([tenantId])
  const idOf = (kind: IdKind, value: string) =>
    withPersonal ? value : pseudonym(kindsOfPlatform.has(kind) ? null : tenantId, kind, value)
  return {
    withPersonal,
    id: <V extends string | null>(kind: IdKind, value: V) => (value === null ? value : idOf(kind, value)) as V,
  }
}

/** Pages of rows, tenant by tenant; reads on only when a page was taken. */
export async function* readTable(pool: Pool, question: TableQuestion): AsyncGenerator<TableRecord[]> {
  const { table, tenantId, tenant, before, current, since, until, withPersonal } = question
  const tenants = tenantId === null ? await tenantsOf(pool, table.stored) : [tenantId]
  // Another version may show anything otherwise: all its rows are new.
  const last = before?.version === current.version ? before : undefined
  for (const each of tenants) {
    const showing = await showingOf(each, question)
    if (tenant !== undefined && showing.id('account', each) !== tenant) continue
    const pages = table.rows(pool, {
      tenant: each,
      after: afterOf(last, each),
      afterTime: last?.time,
      upTo: current.position,
      now: current.time,
      withPersonal,
      updatedSince: since,
      updatedBefore: until,
    })
    for await (const rows of pages) {
      if (!(await question.mayGoOn())) return
      // Its key may be gone since the page before: asked for each.
      const shown = await showingOf(each, question)
      if (rows.length > 0) yield rows.map(({ show }) => show(shown))
      await iteration()
    }
  }
}

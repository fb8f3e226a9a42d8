import { prepared, selectList, type Table } from '@prosa/kernel/consumers/projections/table'
import type { Pool } from 'pg'
import type { AnalyticTable, Asked, Shown } from './analytic-table.ts'

interface AnalyticRow {
  key: string
  tenant: string
  position: string
  updatedAt: string
}

interface Source<Row extends AnalyticRow, Read extends Row> {
  readModel: string
  table: Table<Row>
  /** Rows that are shown; default: all. */
  condition?: string
  /** With personal columns: SQL after `from (page) t`, and what it adds. */
  personal?: { columns: string; joins: string }
  show: Shown<Read, Record<string, unknown>>
}

const pageSize = 1000
/** Follows every key. */
const lastKey = '\uffff'

/** A page of rows in order of their latest change; $1 is the tenant. */
const pageText = <Row extends AnalyticRow, Read extends Row>({
  table,
  condition = 'true',
  personal,
}: Source<Row, Read>) => {
  const page = `
    select ${selectList(table)} from ${table.name}
    where owner = $1 and (position, key) > ($2, $3) and position <= $4 and ${condition}
      and ($5::text is null or updated_at >= $5) and ($6::text is null or updated_at < $6)
    order by position, key limit ${pageSize}`
  return {
    plain: prepared(page),
    personal: prepared(
      personal ? `select t.*, ${personal.columns} from (${page}) t ${personal.joins} order by t.position, t.key` : page,
    ),
  }
}

/** Rows that an event changed last, in that order, in constant memory. */
export const tableOfRows = <Row extends AnalyticRow, Read extends Row = Row>(
  source: Source<Row, Read>,
): AnalyticTable => {
  const text = pageText(source)
  return {
    readModel: source.readModel,
    async *rows(pool: Pool, { tenant, after, upTo, withPersonal, updatedSince, updatedBefore }: Asked) {
      let [position, key] = [after, lastKey]
      while (true) {
        const { rows } = await pool.query<Read>({
          ...(withPersonal ? text.personal : text.plain),
          values: [tenant, position, key, upTo, updatedSince ?? null, updatedBefore ?? null],
        })
        if (rows.length > 0) yield rows.map((row) => ({ show: (showing) => source.show(row, showing) }))
        const last = rows.at(-1)
        if (!last || rows.length < pageSize) return
        ;[position, key] = [last.position, last.key]
      }
    },
  }
}

/** Tenants with rows, by the index that begins with them. */
export const tenantsOf = async (pool: Pool, table: string): Promise<string[]> => {
  const { rows } = await pool.query<{ tenant: string }>(
    `with recursive tenant as (
       (select owner from ${table} order by owner limit 1)
       union all
       select (select t.owner from ${table} t where t.owner > tenant.owner order by t.owner limit 1)
       from tenant where tenant.owner is not null
     )
     select owner as tenant from tenant where owner is not null`,
  )
  return rows.map(({ tenant }) => tenant)
}

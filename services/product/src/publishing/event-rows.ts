import { columnsOfAll, columnsOfType, type EventColumn, positionColumn } from '@prosa/contracts/published/columns'
import type { PublishedEvent } from '@prosa/contracts/published/published-of'
import type { ParquetRow } from '../parquet/write-parquet.ts'

/** Of one type a column for each field; of several `data` as JSON. */
export const columnsOf = (types: readonly string[], withPersonal: boolean): readonly EventColumn[] => {
  const [only, ...others] = types
  const columns = only !== undefined && others.length === 0 ? columnsOfType(only, { withPersonal }) : columnsOfAll
  return [...columns, positionColumn]
}

/** What a spreadsheet would compute (OWASP, CSV injection). */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
const special = /[",\r\n]/

/** RFC 4180; text that begins as a formula gets an apostrophe. A position is our own text, and has to be sent back as it is. */
const csvCell = (value: ReturnType<EventColumn['of']>, isOurs = false): string => {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value)
  const text = !isOurs && formula.test(value) ? `'${value}` : value
  if (text === '') return '""'
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvHead = (columns: readonly EventColumn[]): string => `${columns.map(({ name }) => name).join(',')}\r\n`

export const csvLine = (columns: readonly EventColumn[], event: PublishedEvent): string =>
  `${columns.map((column) => csvCell(column.of(event), column === positionColumn)).join(',')}\r\n`

export const rowOf = (columns: readonly EventColumn[], event: PublishedEvent): ParquetRow => {
  const row: Record<string, ParquetRow[string]> = {}
  for (const { name, of } of columns) row[name] = of(event)
  return row
}

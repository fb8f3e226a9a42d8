import { columnsOfAll, columnsOfType, type EventColumn, positionColumn } from '@prosa/contracts/published/columns'
import type { PublishedEvent } from '@prosa/contracts/published/published-of'
import type { ParquetRow } from '../parquet/write-parquet.ts'
import { csvRecords } from './csv-records.ts'

/** Of one type a column for each field; of several `data` as JSON. */
export const columnsOf = (types: readonly string[], withPersonal: boolean): readonly EventColumn[] => {
  const [only, ...others] = types
  const columns = only !== undefined && others.length === 0 ? columnsOfType(only, { withPersonal }) : columnsOfAll
  return [...columns, positionColumn]
}

export const csvHead = (columns: readonly EventColumn[]): string => csvRecords([columns.map(({ name }) => name)])

/** A record for each event. A position is our own text, and has to be sent back as it is. */
export const csvOf = (columns: readonly EventColumn[], events: readonly PublishedEvent[]): string =>
  csvRecords(
    events.map((event) => columns.map(({ of }) => of(event))),
    columns.indexOf(positionColumn),
  )

export const rowOf = (columns: readonly EventColumn[], event: PublishedEvent): ParquetRow => {
  const row: Record<string, ParquetRow[string]> = {}
  for (const { name, of } of columns) row[name] = of(event)
  return row
}

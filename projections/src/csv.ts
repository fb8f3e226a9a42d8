import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import type { FastifyReply } from 'fastify'

/** Keyed by title. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => string | number | null>>

const rowsAtOnce = 1000

/** Reads by key in constant memory. `load`: at most `limit` rows after the given one. */
export async function* everyRow<Row>(
  load: (after: Row | undefined, limit: number) => Promise<readonly Row[]>,
  max = Number.POSITIVE_INFINITY,
): AsyncGenerator<Row> {
  let last: Row | undefined
  let given = 0
  while (given < max) {
    const rows = await load(last, Math.min(rowsAtOnce, max - given))
    if (rows.length === 0) return
    yield* rows
    given += rows.length
    last = rows.at(-1)
  }
}

/** For Brazilian spreadsheets: UTF-8 with BOM, semicolons, formulas as text. */
export const sendCsv = <Row>(
  reply: FastifyReply,
  name: string,
  columns: CsvColumns<Row>,
  rows: AsyncIterable<Row>,
): FastifyReply => {
  const titles = Object.keys(columns)
  const cells = Object.values(columns)
  async function* records() {
    for await (const row of rows) yield cells.map((cell) => cell(row))
  }
  const csv = stringify({ bom: true, delimiter: ';', header: true, columns: titles, escape_formulas: true })
  // A failure closes the connection.
  pipeline(Readable.from(records()), csv, () => undefined)
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(csv)
}

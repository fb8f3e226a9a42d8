import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import type { FastifyReply } from 'fastify'

/** A column by its title. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => string | number | null>>

const rowsAtOnce = 1000

/**
 * Every row of a list that is read by key, so that a file of any length takes the memory of one page. `load` gives at most
 * `limit` rows behind the last one that it gave, from the first where there is none.
 */
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

/**
 * Answers a list as CSV, row by row as it is read: `return sendCsv(reply, 'usuarios', columns, everyRow(…))`. As spreadsheets in
 * Brazil open it: UTF-8 with its mark, semicolons; what would be taken for a formula is text.
 */
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
  // Whoever reads the file gets the failure, as a connection that is cut off.
  pipeline(Readable.from(records()), csv, () => undefined)
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(csv)
}

import type { Pool, PoolClient } from 'pg'
import type { Codec, Stored } from '../../event-store/codec.ts'
import { beginning, type EventStore, type Position } from '../../event-store/port.ts'
import type { Projection } from '../projections/projection.ts'
import { selectList, type Table } from '../projections/table.ts'
import { foldInto } from '../projections/writing/fold-batch.ts'

const byKey =
  <Row extends object>({ key }: Table<Row>) =>
  (one: Row, other: Row) =>
    String(one[key]) < String(other[key]) ? -1 : 1

/** Expected rows: the log folded one by one. */
export const foldOfLog = async <Row extends object>(
  projection: Projection<Row>,
  { store, codec }: { store: EventStore; codec: Codec },
  upTo: Position,
  isFolded: (event: Stored) => boolean = () => true,
): Promise<Row[]> => {
  const rows = new Map<string, Row>()
  for await (const { events } of store.readAll(beginning, projection))
    for (const event of await codec.decode(events))
      if (event.position <= upTo && isFolded(event)) foldInto(projection, rows, event)
  return [...rows.values()].sort(byKey(projection.table))
}

export const storedRows = async <Row extends object>(db: Pool | PoolClient, table: Table<Row>): Promise<Row[]> => {
  const { rows } = await db.query<Row>(`select ${selectList(table)} from ${table.name}`)
  return rows.sort(byKey(table))
}

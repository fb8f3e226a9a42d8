import { type ParquetType, parquetEncoder } from '@prosa/product/parquet/write-parquet'
import { columnsOf, csvHead, csvOf, rowOf } from '@prosa/product/publishing/event-rows'
import type { ReadEvent } from '../read-events.ts'
import { ReplayError } from '../replay-error.ts'

/** Bytes of a file that only grows until its end. */
export interface FileWriter {
  /** Bytes to append; none while it collects. */
  add(events: readonly ReadEvent[]): Uint8Array | string
  /** True while it holds events of which no byte came out. */
  isCollecting(): boolean
  /** What it collected. */
  flush(): Uint8Array | string
  /** After `flush`: the end of a valid file. A file that goes on is cut before it. */
  end(): Uint8Array | string
  /** JSON, for a writer that goes on behind what came out. */
  state(): unknown
}

/** `state`: of the writer that wrote what is there; undefined at the beginning. */
export type FileFormat = (state: unknown) => FileWriter

export const ndjson: FileFormat = () => ({
  add: (events) => events.map(({ line }) => `${line}\n`).join(''),
  isCollecting: () => false,
  flush: () => '',
  end: () => '',
  state: () => null,
})

/** With those of personal fields, which are empty where the key does not open them. */
const columnsFor = (types: readonly string[]) => {
  const columns = columnsOf(types, true)
  // Only the position: this release knows no fields of the type.
  if (columns.length === 1)
    throw new ReplayError(`Esta versão não conhece ${types[0]}: atualize-a, ou escolha um arquivo .ndjson.`)
  return columns
}

/** Of one type a column for each field. */
export const csv =
  (types: readonly string[]): FileFormat =>
  (state) => {
    const columns = columnsFor(types)
    let head = state === undefined ? csvHead(columns) : ''
    const takeHead = () => {
      const taken = head
      head = ''
      return taken
    }
    return {
      add(events) {
        const published = events.map(({ event }) => event)
        return takeHead() + csvOf(columns, published)
      },
      isCollecting: () => false,
      flush: takeHead,
      end: () => '',
      state: () => null,
    }
  }

/** Of a row group: what a killed run reads again. */
const groupRows = 10_000

export const parquet =
  (types: readonly string[]): FileFormat =>
  (state) => {
    const columns = columnsFor(types)
    const typed = columns.map(({ name, type }) => ({ name, type: type as ParquetType }))
    // Groups end where what was read ends, and nothing waits then.
    const encoder = parquetEncoder(typed, { maxRows: Number.POSITIVE_INFINITY, state: state as string | undefined })
    const none = new Uint8Array()
    return {
      add(events) {
        const pieces = events.map(({ event }) => encoder.add(rowOf(columns, event)) ?? none)
        if (encoder.waitingRows >= groupRows) pieces.push(encoder.flush() ?? none)
        return Buffer.concat(pieces)
      },
      isCollecting: () => encoder.waitingRows > 0,
      flush: () => encoder.flush() ?? none,
      end: () => encoder.end(),
      state: () => encoder.state(),
    }
  }

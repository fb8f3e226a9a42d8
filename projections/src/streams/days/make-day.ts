import { createReadStream } from 'node:fs'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { columnsOfType, type EventColumn } from '@prosa/contracts/published/columns'
import type { PublishedEvent } from '@prosa/contracts/published/published-of'
import { beginning, type EventStore } from '@prosa/kernel/event-store/port'
import type { LogTimes } from '@prosa/kernel/event-store/times/log-times'
import type { Ports } from '@prosa/kernel/ports'
import { type ParquetEncoder, parquetEncoder } from '@prosa/product/parquet/write-parquet'
import { rowOf } from '@prosa/product/publishing/event-rows'
import type { PublishEvents } from '@prosa/product/publishing/publish-events'
import { ReadingEnded, readEvents } from '../read-events.ts'
import type { DayFile, DayOfReader } from './queries.ts'

export interface MakeDeps extends Pick<Ports, 'codec' | 'files'> {
  store: Pick<EventStore, 'readAll' | 'subscribe'>
  times: LogTimes
  /** Without personal fields. */
  publish: PublishEvents
}

export const platform = 'platform'

/** Encoding a row group takes the process; 4,000 rows some 50 ms. */
const rowsOfGroup = 4000
/** Of all types together: memory does not grow with the day. */
const maxWaitingRows = 40_000
const maxFileBytes = 64 * 1024 ** 3

const dayMs = 24 * 3600 * 1000
export const endOfDay = (day: string): string => new Date(Date.parse(`${day}T00:00:00.000Z`) + dayMs).toISOString()

/** Order over all files of the day. */
const integerColumn = (name: string) => ({ name, type: 'integer' }) as const
const numberColumn = integerColumn('number')
const columnsOfFile = (type: string): readonly EventColumn[] =>
  columnsOfType(type, { withPersonal: false }).filter(({ name }) => name !== 'type')

export const dayEncoder = (type: string): ParquetEncoder =>
  parquetEncoder([numberColumn, ...columnsOfFile(type)], { maxRows: rowsOfGroup, notes: { 'prosa.type': type } })

export const folderOf = (id: string): string => `stream-days/${id}/`
export const nameOfFile = (id: string, type: string): string => `${folderOf(id)}${type.replaceAll('.', '-')}`

interface Growing {
  encoder: ParquetEncoder
  columns: readonly EventColumn[]
  path: string
  events: number
}

const writers = (folder: string) => {
  const growing = new Map<string, Growing>()
  let waiting = 0
  const save = async ({ path }: Growing, piece: Uint8Array | undefined) => {
    if (piece) await appendFile(path, piece)
  }
  const writerOf = (type: string): Growing => {
    const found = growing.get(type)
    if (found) return found
    const writer = { encoder: dayEncoder(type), columns: columnsOfFile(type), path: join(folder, type), events: 0 }
    growing.set(type, writer)
    return writer
  }
  const flushLargest = async () => {
    const [largest] = [...growing.values()].toSorted((a, b) => b.encoder.waitingRows - a.encoder.waitingRows)
    if (!largest) return
    waiting -= largest.encoder.waitingRows
    await save(largest, largest.encoder.flush())
  }
  return {
    async add(event: PublishedEvent, number: number) {
      const writer = writerOf(event.type)
      writer.events++
      const before = writer.encoder.waitingRows
      const piece = writer.encoder.add({ ...rowOf(writer.columns, event), number })
      waiting += writer.encoder.waitingRows - before
      await save(writer, piece)
      if (waiting >= maxWaitingRows) await flushLargest()
    },
    async *finished() {
      for (const [type, writer] of growing) {
        await save(writer, writer.encoder.end())
        yield { type, ...writer }
      }
    },
  }
}

/** Reads the day once, and stores a file for each type that it has. Throws `ReadingEnded` once `mayGoOn` is false. */
export const makeDay = async (
  { files, ...deps }: MakeDeps,
  id: string,
  { reader, day }: DayOfReader,
  mayGoOn: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<DayFile[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-day-'))
  try {
    const { add, finished } = writers(folder)
    const question = {
      after: beginning,
      upTo: undefined,
      tenant: reader === platform ? null : reader,
      query: { since: `${day}T00:00:00.000Z`, until: endOfDay(day) },
      publish: deps.publish,
      tokensOf: (positions: readonly string[]) => positions,
      mayGoOn,
    }
    let number = 0
    for await (const events of readEvents(deps, question, signal))
      for (const event of events ?? []) await add(event, ++number)
    const made: DayFile[] = []
    for await (const { type, path, events } of finished()) {
      if (signal.aborted || !(await mayGoOn())) throw new ReadingEnded()
      const { bytes, sha256 } = await files.put(nameOfFile(id, type), createReadStream(path), maxFileBytes)
      made.push({ type, events, bytes, sha256 })
    }
    return made
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

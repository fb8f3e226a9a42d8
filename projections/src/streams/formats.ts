import type { StreamFormat } from '@prosa/contracts/http/streams'
import type { EventColumn } from '@prosa/contracts/published/columns'
import type { PublishedEvent } from '@prosa/contracts/published/published-of'
import { type ParquetRow, parquetFile } from '@prosa/product/parquet/write-parquet'
import { csvHead, csvLine, rowOf } from '@prosa/product/publishing/event-rows'

type Chunks = AsyncIterable<readonly PublishedEvent[] | undefined>
type Pieces = AsyncGenerator<string | Uint8Array>

interface Format {
  contentType: string
  /** Whether it can follow the log, and be compressed on its way. */
  isText: boolean
  write(chunks: Chunks, columns: readonly EventColumn[]): Pieces
}

async function* ndjson(chunks: Chunks): Pieces {
  for await (const events of chunks)
    yield events ? `${events.map((event) => JSON.stringify(event)).join('\n')}\n` : '\n'
}

async function* csv(chunks: Chunks, columns: readonly EventColumn[]): Pieces {
  yield csvHead(columns)
  for await (const events of chunks) if (events) yield events.map((event) => csvLine(columns, event)).join('')
}

async function* parquet(chunks: Chunks, columns: readonly EventColumn[]): Pieces {
  async function* rows(): AsyncGenerator<ParquetRow> {
    for await (const events of chunks) for (const event of events ?? []) yield rowOf(columns, event)
  }
  yield* parquetFile(columns, rows())
}

export const formats: Record<StreamFormat, Format> = {
  ndjson: { contentType: 'application/x-ndjson; charset=utf-8', isText: true, write: ndjson },
  csv: { contentType: 'text/csv; charset=utf-8; header=present', isText: true, write: csv },
  parquet: { contentType: 'application/vnd.apache.parquet', isText: false, write: parquet },
}

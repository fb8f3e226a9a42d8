import { findKnownLog } from '@prosa/kernel/event-store/identity/queries'
import {
  type ExportFormat,
  type ExportProof,
  linkOf,
  noLink,
  proofLine,
  withLink,
} from '@prosa/kernel/operations/hash-chain/exported-lines'
import type { Ports } from '@prosa/kernel/ports'
import type { Asked } from '../asked.ts'
import { findRestOfThread, findThreads, findTimeline } from '../queries.ts'
import { type ShownEntry, showEntries } from '../threads.ts'
import type { TimelineRow } from '../timeline/table.ts'
import { lineOf, titles } from './line-of.ts'

export interface HistoryExport {
  asked: Asked['threads']
  format: ExportFormat
  /** As they were asked; ids and days only. */
  filters: Readonly<Record<string, string>>
  /** Position that the read model has reached. */
  upTo: string
  madeAt: string
  /** True once whoever asked may not read on. */
  isEnded: () => Promise<boolean>
}

/** Broken off: a file without its proof is not taken for a whole one. */
export class ExportEnded extends Error {
  override name = 'ExportEnded'
}

const threadsAtOnce = 50
const eventsAtOnce = 200

type Deps = Pick<Ports, 'pool' | 'store' | 'codec' | 'box'>

/** Oldest thread first, each in the order of the log; nothing behind `upTo`. In constant memory. */
async function* rowsOf({ pool }: Deps, { asked, upTo }: HistoryExport): AsyncGenerator<TimelineRow[]> {
  let after = ''
  for (;;) {
    const threads = await findThreads(pool, { ...asked, oldest: { after, upTo }, limit: threadsAtOnce })
    if (threads.length === 0) return
    const first = new Map<string, TimelineRow[]>(threads.map((thread) => [thread, []]))
    for (const row of await findTimeline(pool, threads, eventsAtOnce)) first.get(row.thread)?.push(row)
    for (const [thread, all] of first) {
      let rows = all.filter(({ place }) => place <= upTo)
      if (rows.length > 0) yield rows
      let last = all.length < eventsAtOnce ? undefined : all.at(-1)
      while (last) {
        rows = await findRestOfThread(pool, thread, { after: last.place, upTo, limit: eventsAtOnce })
        if (rows.length > 0) yield rows
        last = rows.at(-1)
      }
    }
    after = threads.at(-1) ?? after
  }
}

async function* chunksOf(rows: AsyncIterable<TimelineRow[]>): AsyncGenerator<TimelineRow[]> {
  let chunk: TimelineRow[] = []
  for await (const more of rows) {
    chunk.push(...more)
    if (chunk.length < eventsAtOnce) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

async function* entriesOf(deps: Deps, question: HistoryExport): AsyncGenerator<ShownEntry[]> {
  for await (const rows of chunksOf(rowsOf(deps, question))) {
    if (await question.isEnded()) throw new ExportEnded()
    yield await showEntries(deps, rows)
  }
}

/** Each line is linked to the one before; the last one is the proof. Reads on only when a piece was taken. */
export async function* exportLines(deps: Deps, question: HistoryExport): AsyncGenerator<string> {
  const { format, filters, upTo, madeAt } = question
  let [chain, count]: [string, number] = [noLink, 0]
  let from: string | null = null
  if (format === 'csv') {
    chain = linkOf(noLink, titles)
    yield `\uFEFF${titles}\n`
  }
  for await (const entries of entriesOf(deps, question)) {
    let text = ''
    for (const shown of entries) {
      const line = lineOf[format](shown)
      chain = linkOf(chain, line)
      text += withLink(format, line, chain)
      if (from === null || shown.row.place < from) from = shown.row.place
    }
    count += entries.length
    yield text
  }
  const log = await findKnownLog(deps.pool)
  const logId = log?.logId ?? ''
  const proof: ExportProof = { version: 1, format, madeAt, logId, from, to: upTo, count, chain, filters }
  yield proofLine(format, proof, (signed) => deps.box.fingerprint(signed, 'history export'))
}

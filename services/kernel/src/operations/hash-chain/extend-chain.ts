import { Readable } from 'node:stream'
import type { Pool } from 'pg'
import { pause } from '../../async/pause.ts'
import type { Clock } from '../../clock.ts'
import { findKnownLog } from '../../event-store/identity/queries.ts'
import { beginning, type EventStore } from '../../event-store/port.ts'
import type { FileStore } from '../../files/port.ts'
import { LoggableError } from '../../loggable-error.ts'
import type { Ports } from '../../ports.ts'
import { exclusively } from '../../postgres/exclusively.ts'
import { type Block, digestOf, entryOf, headOf, nameOfEntries, noHead } from './block.ts'
import { appendHead, readHeads } from './heads-file.ts'
import { findLastBlock, insertBlock } from './queries.ts'

export interface ChainDeps {
  store: Pick<EventStore, 'readWhole'>
  pool: Pool
  files: FileStore
  clock: Clock
  /** Outside database and log. */
  headsFile: string
}

/** The file of heads knows a block that the log no longer yields. */
export class ChainContradicted extends LoggableError {
  override name = 'ChainContradicted'
}

/** About 11 MB of entries. */
const maxEvents = 100_000
const maxEntriesBytes = 1024 ** 3

const store = async ({ pool, files, headsFile }: ChainDeps, block: Block, entries: string[], known?: Block) => {
  if (known && known.head !== block.head)
    throw new ChainContradicted(
      `Block ${block.number} is another than the file of heads has: npm run verify-log. After restoring a backup, move ${headsFile} away.`,
    )
  const content = Readable.from([Buffer.from(entries.join(''))])
  await files.put(nameOfEntries(block.logId, block.number), content, maxEntriesBytes)
  if (!known) await appendHead(headsFile, block)
  return insertBlock(pool, block)
}

/**
 * Chains all events that are not yet, at most once a day (UTC). Only one process may. A block that only the file of heads has, after a crash,
 * is made again as it was. Throws `ChainContradicted`.
 */
export const extendChain = async (
  deps: ChainDeps,
  signal: AbortSignal,
  { eventsOfBlock = maxEvents } = {},
): Promise<Block[]> => {
  const log = await findKnownLog(deps.pool)
  if (!log?.isConfirmed) return []
  const { logId } = log
  const day = deps.clock.now().slice(0, 10)
  let last = await findLastBlock(deps.pool, logId)
  if (last && last.day >= day) return []
  const heads = await readHeads(deps.headsFile, logId)
  const made: Block[] = []
  let entries: string[] = []
  let upTo = last?.upTo ?? beginning
  const known = () => heads.get((last?.number ?? 0) + 1)

  const close = async (): Promise<boolean> => {
    const witnessed = known()
    const range = {
      ...{ logId, number: (last?.number ?? 0) + 1, day: witnessed?.day ?? day, after: last?.upTo ?? beginning },
      ...{ upTo: witnessed?.upTo ?? upTo, events: entries.length, sha256: digestOf(entries) },
    }
    const block = { ...range, head: headOf(last?.head ?? noHead, range) }
    // False: a process that took this one for dead was faster.
    if (!(await store(deps, block, entries, witnessed))) return false
    last = block
    made.push(block)
    entries = []
    return true
  }

  for await (const { events } of deps.store.readWhole(upTo)) {
    for (const event of events) {
      for (let end = known()?.upTo; end !== undefined && event.position > end; end = known()?.upTo)
        if (!(await close())) return made
      entries.push(entryOf(event))
      upTo = event.position
      if (!known() && entries.length >= eventsOfBlock && !(await close())) return made
    }
    if (signal.aborted) return made
  }
  while (entries.length > 0 || known()) if (!(await close())) return made
  return made
}

/** A new day is noticed that late. */
const checkEveryMs = 10 * 60_000

/** In one process of all. */
export const keepChain = (ports: Ports, headsFile: string, signal: AbortSignal): Promise<void> => {
  const { databaseUrl, log } = ports
  const work = async (until: AbortSignal) => {
    while (!until.aborted) {
      for (const { number, day, events, head } of await extendChain({ ...ports, headsFile }, until))
        log.info({ number, day, events, head }, 'log chained')
      await pause(checkEveryMs, until)
    }
  }
  return exclusively(databaseUrl, 'hash chain', signal, work, {
    onTrouble: (error) => log.warn({ err: error }, 'hash chain of the log interrupted'),
  })
}

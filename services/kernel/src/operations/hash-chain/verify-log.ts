import { text } from 'node:stream/consumers'
import type { EventStore, Position, RecordedEvent } from '../../event-store/port.ts'
import { beginning } from '../../event-store/port.ts'
import { FileMissing, type FileStore } from '../../files/port.ts'
import { type Block, digestOf, entryOf, headOf, nameOfEntries, noHead } from './block.ts'

export interface Difference {
  kind: 'changed' | 'removed' | 'inserted'
  position: Position
  eventId: string
  /** Undefined for a removed event. */
  stream: string | undefined
  /** 0: before the first. */
  block: number
}

/** What is wrong with the chain itself, or keeps single events from being named. */
export type Fault =
  | { kind: 'broken' | 'entries lost' | 'other in heads file'; block: number }
  | { kind: 'missing'; from: number; to: number }

export interface VerifiedLog {
  blocks: number
  /** In blocks, as they are in the log now. */
  events: number
  /** After the last block. */
  unchained: number
  /** Blocks of which the file of heads knows nothing: made elsewhere, or without the file. */
  unwitnessed: number
  differences: Difference[]
  faults: Fault[]
}

interface Entry {
  position: Position
  eventId: string
  line: string
}

const entriesOf = (content: string): Map<string, Entry> =>
  new Map(
    content
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [position = '', eventId = ''] = line.split(' ')
        return [position, { position: position as Position, eventId, line: `${line}\n` }]
      }),
  )

const compare = (block: number, before: Map<string, Entry>, now: readonly RecordedEvent[]): Difference[] => {
  const positions = new Set<string>(now.map(({ position }) => position))
  const present = now.flatMap((event): Difference[] => {
    const known = before.get(event.position)
    if (known?.line === entryOf(event)) return []
    const { position, id: eventId, stream } = event
    return [{ kind: known ? 'changed' : 'inserted', position, eventId, stream, block }]
  })
  const removed = [...before.values()]
    .filter(({ position }) => !positions.has(position))
    .map(({ position, eventId }): Difference => ({ kind: 'removed', position, eventId, stream: undefined, block }))
  return [...present, ...removed].toSorted((a, b) => (a.position < b.position ? -1 : 1))
}

const storedEntries = async (files: FileStore, { logId, number, sha256 }: Block) => {
  try {
    const content = await text((await files.get(nameOfEntries(logId, number))).content)
    return digestOf([content]) === sha256 ? entriesOf(content) : undefined
  } catch (error) {
    if (error instanceof FileMissing) return undefined
    throw error
  }
}

const faultsOfChain = (blocks: readonly Block[], heads: ReadonlyMap<number, Block>): Fault[] => {
  const faults: Fault[] = []
  let [previous, next] = [noHead, 1]
  for (const block of blocks) {
    const { number, head } = block
    if (number > next) faults.push({ kind: 'missing', from: next, to: number - 1 })
    else if (headOf(previous, block) !== head) faults.push({ kind: 'broken', block: number })
    const known = heads.get(number)
    if (known && known.head !== head) faults.push({ kind: 'other in heads file', block: number })
    previous = head
    next = number + 1
  }
  const latest = Math.max(0, ...heads.keys())
  if (latest >= next) faults.push({ kind: 'missing', from: next, to: latest })
  return faults
}

interface VerifyDeps {
  store: Pick<EventStore, 'readWhole'>
  files: FileStore
  blocks: readonly Block[]
  heads: ReadonlyMap<number, Block>
  /** Rows at positions that no append gives: their streams show them, `readWhole` does not. */
  misplaced?: readonly Pick<RecordedEvent, 'id' | 'stream' | 'position'>[]
  onProgress?: (position: Position) => void
}

/** Compares the log with its hash chain. Reads the log once; memory as of one block, more where much was inserted. */
export const verifyLog = async ({
  store,
  files,
  blocks,
  heads,
  misplaced = [],
  onProgress,
}: VerifyDeps): Promise<VerifiedLog> => {
  const faults = faultsOfChain(blocks, heads)
  const differences = misplaced.map(
    ({ id: eventId, stream, position }): Difference => ({ kind: 'inserted', position, eventId, stream, block: 0 }),
  )
  let [events, unchained, index] = [0, 0, 0]
  let inBlock: RecordedEvent[] = []

  const finish = async (block: Block) => {
    events += inBlock.length
    if (digestOf(inBlock.map(entryOf)) !== block.sha256) {
      const entries = await storedEntries(files, block)
      if (entries) differences.push(...compare(block.number, entries, inBlock))
      else faults.push({ kind: 'entries lost', block: block.number })
    }
    inBlock = []
    index++
    onProgress?.(block.upTo)
  }

  for await (const batch of store.readWhole(beginning))
    for (const event of batch.events) {
      for (let block = blocks[index]; block && event.position > block.upTo; block = blocks[index]) await finish(block)
      if (blocks[index]) inBlock.push(event)
      else unchained++
    }
  for (let block = blocks[index]; block; block = blocks[index]) await finish(block)
  const unwitnessed = blocks.filter(({ number }) => !heads.has(number)).length
  return { blocks: blocks.length, events, unchained, unwitnessed, differences, faults }
}

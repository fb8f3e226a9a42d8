import { randomBytes, randomUUID } from 'node:crypto'
import { contactSubject } from '@prosa/contracts/events/subjects'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Position } from '../../event-store/port.ts'
import { silentLog } from '../../observability/log.ts'
import { secretBox } from '../../privacy/secret-box.ts'
import { clearEntries, type Entries, entryOf, noEntries, setEntry } from './entries.ts'
import { memoryTable } from './memory-table.ts'
import { savePoint } from './save-point.ts'
import { type Snapshots, snapshotsIn } from './snapshots.ts'
import { type Loaded, type StateCache, stateCache, withEntries } from './state-cache.ts'
import { memoryKeys, names } from './testing/names.ts'

interface State {
  entries: Entries
}

const { saving } = names()
if (!saving) throw new Error('names are saved')
const savedStream = (stream: string) => ({ stream, saving })
const cacheBytes = 1_000_000
const fewBytes = 100_000
const box = secretBox(randomBytes(32))
const tenant = randomUUID()

let snapshots: Snapshots
let keys: ReturnType<typeof memoryKeys>
let memory: StateCache<State>
let stream = ''
beforeEach(() => {
  keys = memoryKeys()
  snapshots = snapshotsIn(memoryTable(), { subjectKeys: keys, box, log: silentLog() })
  memory = stateCache<State>({ snapshots, savedStream, cacheBytes })
  stream = newStream()
})

const newStream = () => {
  const id = randomUUID()
  keys.add(contactSubject(id))
  return `contact-${id}`
}

const nothing = (): Loaded<State> => ({
  state: { entries: noEntries },
  revision: 'no_stream',
  eventId: null,
  position: null,
  seenTo: '' as Position,
  tenant: undefined,
  point: savePoint(),
})

const grown = (loaded: Loaded<State>, events: number, prefix = 'key'): Loaded<State> => {
  let { revision } = loaded
  let { entries } = loaded.state
  for (let step = 0; step < events; step++) {
    revision = revision === 'no_stream' ? 0n : revision + 1n
    entries = setEntry(entries, `${prefix} ${revision}`, 1)
  }
  return { ...loaded, state: { entries }, revision, tenant, eventId: randomUUID(), position: '1' as Position }
}

const lengthIn = (of: string) => Number(memory.get(of)?.revision ?? -1n) + 1
const saved = async (of = stream) => (await snapshots.load(savedStream(of)))?.head.revision

describe('states in memory', () => {
  it('are offered once 200 events are not saved, and again after as many', async () => {
    let loaded = memory.put(stream, grown(nothing(), 199))
    await snapshots.drain()
    expect(await saved()).toBe(198n)
    loaded = memory.put(stream, grown(memory.get(stream) ?? nothing(), 199))
    await new Promise(setImmediate)
    expect(await saved()).toBe(198n)
    memory.put(stream, grown(loaded, 1))
    await new Promise(setImmediate)
    expect(await saved()).toBe(398n)
    expect(memory.get(stream)?.state.entries.changed.size).toBe(0)
    expect(memory.get(stream)?.point.saved?.revision).toBe(398n)
  })

  it('are saved at the end of a process from 10 unsaved events on', async () => {
    const other = newStream()
    memory.put(stream, grown(nothing(), 10))
    memory.put(other, grown(nothing(), 9))
    await snapshots.drain()
    expect([await saved(), await saved(other)]).toEqual([9n, undefined])
  })

  it('are not saved again by an offer that waited while another save went further', async () => {
    const written = () => snapshots.metrics().find(({ name }) => name === 'prosa_snapshots_written_total')?.value
    for (let other = 0; other < 5; other++) memory.put(newStream(), grown(nothing(), 200))
    const waiting = memory.put(stream, grown(nothing(), 200))
    await memory.save(stream, waiting)
    memory.put(stream, grown(waiting, 3))
    await new Promise(setImmediate)
    expect([await saved(), written()]).toEqual([199n, 6])
  })

  it('are saved as they are once the writer gets to them', async () => {
    memory.put(newStream(), grown(nothing(), 200))
    memory.put(stream, grown(memory.put(stream, grown(nothing(), 200)), 3))
    await new Promise(setImmediate)
    expect(await saved()).toBe(202n)
  })

  it('are never replaced by one that is behind', () => {
    const first = memory.put(stream, grown(nothing(), 5))
    memory.put(stream, grown(first, 3))
    expect(memory.put(stream, first)).toBe(first)
    expect(lengthIn(stream)).toBe(8)
    expect(memory.put(newStream(), nothing()).revision).toBe('no_stream')
  })

  it('are replaced by the same with more of it fetched', () => {
    const first = memory.put(stream, grown(nothing(), 5))
    const more = { ...first, seenTo: '7' as Position }
    memory.put(stream, more)
    expect(memory.get(stream)?.seenTo).toBe('7')
  })

  it('of two readings of the table, that of the later save is kept, or of the only one', () => {
    const of = (lineage: string | undefined, revision: bigint, length: number) => ({
      ...grown(nothing(), length),
      point: savePoint(lineage ? { lineage, revision, clearings: 0 } : undefined),
    })
    const after = (known: Loaded<State>, given: Loaded<State>) => {
      const at = newStream()
      memory.put(at, known)
      memory.put(at, given)
      const now = memory.get(at)
      return now && `${now.point.saved?.lineage} ${now.point.saved?.revision} ${now.revision}`
    }
    expect(after(of('L', 2n, 5), of('L', 4n, 6))).toBe('L 4 5')
    expect(after(of('L', 4n, 5), of('L', 2n, 6))).toBe('L 4 4')
    expect(after(of('L', 4n, 5), of('L', 4n, 6))).toBe('L 4 5')
    expect(after(of(undefined, 0n, 5), of('L', 2n, 6))).toBe('L 2 5')
    expect(after(of('L', 2n, 5), of(undefined, 0n, 6))).toBe('L 2 4')
    expect(after(of('L', 2n, 5), of('M', 2n, 6))).toBeUndefined()
    expect(after(of(undefined, 0n, 5), of(undefined, 0n, 6))).toBe('undefined undefined 5')
  })

  it('are forgotten where another process has saved more, and so are those that were made of them', () => {
    const first = memory.put(stream, grown(nothing(), 5))
    const inFlight = grown(first, 1)
    memory.forget(stream, first)
    expect(memory.get(stream)).toBeUndefined()
    expect(memory.put(stream, inFlight)).toBe(inFlight)
    expect(memory.get(stream)).toBeUndefined()
  })

  it('stay where they have gone on from another reading than the one that is outdated', () => {
    const first = grown(nothing(), 5)
    memory.put(stream, grown(nothing(), 6))
    memory.forget(stream, first)
    expect(lengthIn(stream)).toBe(6)
    memory.forget(stream, grown(nothing(), 6))
    expect(lengthIn(stream)).toBe(0)
  })

  it('are folded again where a save shows that another process was quicker', async () => {
    const other = stateCache<State>({ snapshots, savedStream, cacheBytes })
    const theirs = await other.save(stream, grown(nothing(), 300))
    if (theirs === 'outdated') throw new Error('it was the first')
    expect(await memory.save(stream, grown(nothing(), 250))).toBe('outdated')
    memory.put(stream, grown(nothing(), 310))
    await new Promise(setImmediate)
    expect(memory.get(stream)).toBeUndefined()
    expect(await saved()).toBe(299n)
  })

  it('are saved in the middle of a fold when they are large, or after 20,000 events', () => {
    const small = (events: number) => ({ ...nothing(), revision: BigInt(events - 1) })
    expect(memory.isDue(stream, small(19_999))).toBe(false)
    expect(memory.isDue(stream, small(20_000))).toBe(true)
    const large = (events: number, bytes: number) => ({
      ...small(events),
      state: { entries: { ...noEntries, changedBytes: bytes } },
    })
    expect(memory.isDue(stream, large(200, cacheBytes / 16 + 1))).toBe(true)
    expect(memory.isDue(stream, large(200, cacheBytes / 16))).toBe(false)
    expect(memory.isDue(stream, large(199, cacheBytes))).toBe(false)
  })

  it('are saved by whoever folds them next where they were driven out before the writer got to them', async () => {
    memory = stateCache<State>({ snapshots, savedStream, cacheBytes: fewBytes })
    memory.put(newStream(), grown(nothing(), 200))
    memory.put(stream, grown(nothing(), 300))
    for (const each of [newStream(), newStream()]) memory.put(each, grown(nothing(), 330))
    expect(memory.get(stream)).toBeUndefined()
    await new Promise(setImmediate)
    expect(await saved()).toBeUndefined()
    const again = grown(nothing(), 301)
    expect(memory.isDue(stream, grown(nothing(), 199))).toBe(false)
    expect(memory.isDue(stream, { ...nothing(), revision: 300n })).toBe(true)
    expect(memory.isDue(newStream(), { ...nothing(), revision: 300n })).toBe(false)
    const after = await memory.save(stream, again)
    expect(await saved()).toBe(300n)
    if (after === 'outdated') throw new Error('nobody else saves it')
    expect(after.point.saved?.revision).toBe(300n)
    expect(memory.isDue(stream, { ...after, revision: 550n })).toBe(false)
  })

  it('give back what can be fetched again, but not after all was thrown away', async () => {
    memory = stateCache<State>({ snapshots, savedStream, cacheBytes: fewBytes })
    const first = memory.put(stream, grown(nothing(), 250))
    await new Promise(setImmediate)
    const now = memory.get(stream)
    expect([first.state.entries.isWhole, now?.state.entries.isWhole]).toEqual([true, false])
    if (!now) throw new Error('it is in memory')
    let cleared = withEntries(now, clearEntries)
    cleared = memory.put(stream, grown({ ...cleared, revision: 250n }, 1, 'new'))
    const filled = withEntries(cleared, (entries) => ({
      ...entries,
      fetched: first.state.entries.changed,
      bytes: 50_000,
    }))
    const chosenState = memory.put(stream, { ...filled, revision: 252n })
    expect(chosenState.state.entries.isWhole).toBe(true)
    expect(entryOf(chosenState.state.entries, 'never')).toBeUndefined()
  })

  it('that were thrown away whole are saved anew, without what was saved before', async () => {
    const first = await memory.save(stream, grown(nothing(), 20, 'old'))
    if (first === 'outdated') throw new Error('nobody else saves it')
    const lineage = first.point.saved?.lineage ?? ''
    const cleared = grown(withEntries({ ...first, revision: 20n }, clearEntries), 1, 'new')
    const second = await memory.save(stream, cleared)
    if (second === 'outdated') throw new Error('nobody else saves it')
    expect(await snapshots.entries(savedStream(stream), lineage, 'all')).toBeUndefined()
    const now = second.point.saved?.lineage ?? ''
    expect((await snapshots.entries(savedStream(stream), now, 'all'))?.found.size).toBe(1)
    const third = await memory.save(stream, grown(second, 1, 'new'))
    expect(third !== 'outdated' && third.point.saved?.lineage).toBe(now)
    expect((await snapshots.entries(savedStream(stream), now, 'all'))?.found.size).toBe(2)
  })

  it('take less once they are saved, also where nobody asks for them', async () => {
    memory = stateCache<State>({ snapshots, savedStream, cacheBytes: fewBytes })
    memory.put(stream, grown(nothing(), 250))
    await new Promise(setImmediate)
    // Saved entries were dropped.
    for (const each of [newStream(), newStream()]) memory.put(each, grown(nothing(), 270))
    expect(lengthIn(stream)).toBe(250)
  })

  it('are kept up to an eighth of the memory where the table has them, up to all of it where it has not', async () => {
    memory = stateCache<State>({ snapshots, savedStream, cacheBytes: fewBytes })
    memory.put(stream, grown(nothing(), 600))
    expect(lengthIn(stream)).toBe(600)
    await new Promise(setImmediate)
    expect(memory.get(stream)?.state.entries.bytes).toBeLessThan(fewBytes / 8)
    const more = newStream()
    memory.put(more, grown(nothing(), 1000))
    expect(lengthIn(more)).toBe(0)
    const due = newStream()
    const dueNow = withEntries(grown(nothing(), 200), (entries) => setEntry(entries, 'large', 'x'.repeat(10_000)))
    memory.put(due, dueNow)
    expect(lengthIn(due)).toBe(200)
    const short = newStream()
    const large = grown(nothing(), 150)
    memory.put(
      short,
      withEntries(large, (entries) => setEntry(entries, 'large', 'x'.repeat(10_000))),
    )
    expect(lengthIn(short)).toBe(0)
  })
})

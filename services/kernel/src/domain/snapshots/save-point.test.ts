import { describe, expect, it } from 'vitest'
import { clearEntries, type Entries, noEntries, setEntry } from './entries.ts'
import { advanceSavePoint, savePoint, withLaterSaves } from './save-point.ts'

const at = (lineage: string, revision: bigint, clearings = 0) => ({ lineage, revision, clearings })
const withNames = (names: readonly string[], entries: Entries = noEntries) =>
  names.reduce((all, name) => setEntry(all, name, name.length), entries)
const loaded = (entries: Entries, revision: bigint, point = savePoint()) => ({ state: { entries }, revision, point })
const unsaved = ({ state }: { state: { entries: Entries } } | undefined = loaded(noEntries, 0n)) =>
  [...state.entries.changed.keys()].sort()

describe('a state that was made before a save ended', () => {
  it('has what was saved behind it, and what came since still before it', () => {
    const before = loaded(withNames(['a', 'b']), 1n)
    const after = loaded(withNames(['c', 'a longer one'], before.state.entries), 3n, before.point)
    const changed = setEntry(after.state.entries, 'b', 99)
    advanceSavePoint(before.point, { saved: at('L', 1n), changed: before.state.entries.changed })
    const now = withLaterSaves({ ...after, state: { entries: changed } })
    expect(now?.point.saved).toEqual(at('L', 1n))
    expect(unsaved(now)).toEqual(['a longer one', 'b', 'c'])
    expect(now?.state.entries.fetched.get('a')).toBe(1)
    expect(now?.state.entries.count).toBe(4)
  })

  it('catches up with several saves', () => {
    const first = loaded(withNames(['a']), 0n)
    advanceSavePoint(first.point, { saved: at('L', 0n), changed: first.state.entries.changed })
    const second = withLaterSaves(loaded(withNames(['b'], first.state.entries), 1n, first.point))
    if (!second) throw new Error('it has caught up')
    advanceSavePoint(second.point, { saved: at('L', 1n), changed: second.state.entries.changed })
    const late = withLaterSaves(loaded(withNames(['b', 'c'], first.state.entries), 2n, first.point))
    expect(unsaved(late)).toEqual(['c'])
    expect(late?.point.saved).toEqual(at('L', 1n))
    expect(late && withLaterSaves(late)).toBe(late)
  })

  it('is of no use where it stands before what was saved, or another process has saved more', () => {
    const before = loaded(withNames(['a']), 0n)
    const longer = loaded(withNames(['b'], before.state.entries), 1n, before.point)
    advanceSavePoint(longer.point, { saved: at('L', 1n), changed: longer.state.entries.changed })
    expect(withLaterSaves(before)).toBeUndefined()
    expect(withLaterSaves({ ...before, revision: 'no_stream' as const })).toBeUndefined()
    expect(withLaterSaves(longer)?.point.saved).toEqual(at('L', 1n))
    const outdated = loaded(withNames(['a']), 0n)
    advanceSavePoint(outdated.point, 'superseded')
    expect(withLaterSaves(outdated)).toBeUndefined()
    advanceSavePoint(outdated.point, { saved: at('L', 0n), changed: undefined })
    expect(withLaterSaves(outdated)).toBeUndefined()
  })

  it('is not outdated by a later save of the same process, nor taken back by an earlier one', () => {
    const { point } = loaded(noEntries, 0n)
    advanceSavePoint(point, { saved: at('L', 5n), changed: undefined })
    advanceSavePoint(point, 'superseded')
    advanceSavePoint(point, { saved: at('L', 3n), changed: undefined })
    expect(withLaterSaves(loaded(noEntries, 9n, point))?.point.saved).toEqual(at('L', 5n))
    const { next } = point
    advanceSavePoint(point, { saved: at('L', 5n), changed: undefined })
    expect(next !== 'outdated' && next?.point.next).toBeUndefined()
    advanceSavePoint(point, { saved: at('M', 4n), changed: undefined })
    expect(withLaterSaves(loaded(noEntries, 9n, point))?.point.saved).toEqual(at('M', 4n))
  })

  it('has to save what was set anew after all was thrown away, also where the same was saved before', () => {
    const before = loaded(withNames(['a', 'b']), 1n)
    const cleared = withNames(['a'], clearEntries(before.state.entries))
    advanceSavePoint(before.point, { saved: at('L', 1n), changed: before.state.entries.changed })
    const now = withLaterSaves(loaded(cleared, 3n, before.point))
    expect(unsaved(now)).toEqual(['a'])
    expect(now?.state.entries.count).toBe(1)
  })

  it('without entries only stands elsewhere', () => {
    const plain = { state: { name: 'Ana' }, revision: 3n, point: savePoint() }
    advanceSavePoint(plain.point, { saved: at('L', 2n), changed: undefined })
    expect(withLaterSaves(plain)).toMatchObject({ state: { name: 'Ana' }, revision: 3n, point: { saved: at('L', 2n) } })
  })
})

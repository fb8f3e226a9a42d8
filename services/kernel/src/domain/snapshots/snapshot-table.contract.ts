import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { EntryRow, FoldRef, SnapshotTable, SnapshotWrite } from './snapshot-table.ts'

export const snapshotTableContract = (name: string, openTable: () => SnapshotTable) => {
  const newFold = (over: Partial<FoldRef> = {}): FoldRef => ({
    stream: `contact-${randomUUID()}`,
    decider: 'test',
    version: 2,
    ...over,
  })
  const entry = (key: string, value: string): EntryRow => ({ key, value: Buffer.from(value), subject_key: null })
  const snapshot = (over: Partial<SnapshotWrite> = {}): SnapshotWrite => ({
    revision: 9n,
    lineage: randomUUID(),
    subjectKey: randomUUID(),
    state: Buffer.from('state'),
    entries: [],
    follows: undefined,
    keepsHistory: false,
    ...over,
  })
  const texts = (found: { entries: EntryRow[] } | undefined) =>
    found?.entries.map(({ key, value }) => `${key}=${value}`).sort()

  describe(`a table of snapshots: ${name}`, () => {
    it('has nothing of a fold that was never saved', async () => {
      const [table, of] = [openTable(), newFold()]
      expect([await table.read(of), await table.newest(of)]).toEqual([undefined, undefined])
      expect(await table.entries(of, randomUUID(), 'all')).toBeUndefined()
    })

    it('gives back what was written, by stream, decider and version', async () => {
      const [table, of] = [openTable(), newFold()]
      const { lineage, subjectKey, ...first } = snapshot({ entries: [entry('a', '1'), entry('b', '2')] })
      expect(await table.write(of, { lineage, subjectKey, ...first })).toBe(true)
      expect(await table.read(of)).toEqual({
        ...((await table.read(of)) ?? {}),
        revision: '9',
        lineage,
        subject_key: subjectKey,
        state: Buffer.from('state'),
      })
      expect(await table.newest(of)).toEqual({ revision: 9n, lineage })
      expect(texts(await table.entries(of, lineage, 'all'))).toEqual(['a=1', 'b=2'])
      expect(texts(await table.entries(of, lineage, ['b', 'c']))).toEqual(['b=2'])
      expect(await table.entries(of, lineage, [])).toEqual({ revision: 9n, entries: [] })
      expect(await table.entries(of, randomUUID(), 'all')).toBeUndefined()
      for (const other of [
        { ...of, stream: newFold().stream },
        { ...of, decider: 'other' },
        { ...of, version: 3 },
      ]) {
        expect([await table.read(other), await table.newest(other)]).toEqual([undefined, undefined])
        expect(await table.entries(other, lineage, 'all')).toBeUndefined()
      }
    })

    it('follows a lineage, whose entries are added to and replaced', async () => {
      const [table, of] = [openTable(), newFold()]
      const first = snapshot({ entries: [entry('a', '1'), entry('b', '2')] })
      const { lineage } = first
      await table.write(of, first)
      const next = { lineage, follows: lineage, revision: 12n, entries: [entry('b', '3'), entry('c', '4')] }
      expect(await table.write(of, snapshot(next))).toBe(true)
      expect(texts(await table.entries(of, lineage, 'all'))).toEqual(['a=1', 'b=3', 'c=4'])
      expect((await table.entries(of, lineage, 'all'))?.revision).toBe(12n)
      expect(await table.newest(of)).toEqual({ revision: 12n, lineage })
      expect(await table.read(of, 11n)).toBeUndefined()
      expect((await table.read(of, 12n))?.revision).toBe('12')
    })

    it('refuses whole what is superseded', async () => {
      const [table, of] = [openTable(), newFold()]
      const first = snapshot({ entries: [entry('a', '1')] })
      const { lineage } = first
      await table.write(of, first)
      for (const over of [
        { lineage, follows: lineage, revision: 9n },
        { lineage, follows: lineage, revision: 8n },
        { revision: 20n },
        { follows: randomUUID(), revision: 20n },
      ])
        expect(await table.write(of, snapshot({ entries: [entry('a', '2')], ...over }))).toBe(false)
      expect(await table.newest(of)).toEqual({ revision: 9n, lineage })
      expect(texts(await table.entries(of, lineage, 'all'))).toEqual(['a=1'])
      await table.drop(of, lineage)
      expect(await table.write(of, snapshot({ lineage, follows: lineage, revision: 20n }))).toBe(false)
      expect(await table.newest(of)).toBeUndefined()
    })

    it('begins anew in place of the lineage before, and of earlier versions, whose entries go', async () => {
      const [table, of] = [openTable(), newFold()]
      const [older, newer] = [
        { ...of, version: 1 },
        { ...of, version: 3 },
      ]
      const [first, old, later] = [1, 2, 3].map((n) => snapshot({ entries: [entry('a', `${n}`)] }))
      if (!first || !old || !later) throw new Error('three were made')
      await table.write(newer, later)
      await table.write(older, old)
      expect(await table.write(of, first)).toBe(true)
      expect(await table.newest(older)).toBeUndefined()
      expect(await table.entries(older, old.lineage, 'all')).toBeUndefined()
      expect(await table.newest(newer)).toEqual({ revision: 9n, lineage: later.lineage })

      const anew = snapshot({ follows: first.lineage, revision: 12n, entries: [entry('b', '4')] })
      expect(await table.write(of, anew)).toBe(true)
      expect(await table.newest(of)).toEqual({ revision: 12n, lineage: anew.lineage })
      expect(await table.entries(of, first.lineage, 'all')).toBeUndefined()
      expect(texts(await table.entries(of, anew.lineage, 'all'))).toEqual(['b=4'])
      expect(texts(await table.entries(newer, later.lineage, 'all'))).toEqual(['a=3'])
    })

    it('keeps the snapshots of the last day where they are wanted', async () => {
      const [table, of] = [openTable(), newFold()]
      const first = snapshot({ keepsHistory: true })
      const { lineage } = first
      await table.write(of, first)
      for (const revision of [19n, 29n])
        await table.write(of, snapshot({ lineage, follows: lineage, revision, keepsHistory: true }))
      const found = await Promise.all([8n, 9n, 18n, 19n, 28n, 29n, 1000n].map((upTo) => table.read(of, upTo)))
      expect(found.map((row) => row?.revision)).toEqual([undefined, '9', '9', '19', '19', '29', '29'])
      await table.write(of, snapshot({ lineage, follows: lineage, revision: 39n, keepsHistory: false }))
      expect(await table.read(of, 38n)).toBeUndefined()
    })

    it('throws one lineage of one fold away, once or twice', async () => {
      const [table, of, other] = [openTable(), newFold(), newFold()]
      const [mine, theirs] = [snapshot({ entries: [entry('a', '1')] }), snapshot({ entries: [entry('a', '2')] })]
      await table.write(of, mine)
      await table.write(other, theirs)
      await table.drop(of, theirs.lineage)
      await table.drop(of, mine.lineage)
      await table.drop(of, mine.lineage)
      expect(await table.newest(of)).toBeUndefined()
      expect(await table.entries(of, mine.lineage, 'all')).toBeUndefined()
      expect(texts(await table.entries(other, theirs.lineage, 'all'))).toEqual(['a=2'])
    })

    it('writes more entries than fit into one statement', async () => {
      const [table, of] = [openTable(), newFold()]
      const entries = Array.from({ length: 4100 }, (_, index) => entry(`k${index}`, `${index}`))
      const { lineage, ...rest } = snapshot({ entries })
      await table.write(of, { lineage, ...rest })
      expect(texts(await table.entries(of, lineage, 'all'))).toEqual(
        entries.map(({ key, value }) => `${key}=${value}`).sort(),
      )
    })

    it('lets one of two that save at once through', async () => {
      const [table, of] = [openTable(), newFold()]
      const written = await Promise.all([1, 2, 3].map(() => table.write(of, snapshot())))
      expect(written.filter(Boolean)).toHaveLength(1)
    })
  })
}

import { type EntryRow, type FoldRef, isSuperseded, type SnapshotRow, type SnapshotTable } from './snapshot-table.ts'

type Row = SnapshotRow & FoldRef

/** For tests. */
export const memoryTable = (): SnapshotTable => {
  let snapshots: Row[] = []
  const entriesOf = new Map<string, Map<string, EntryRow>>()

  const isOf = ({ stream, decider, version }: FoldRef) => {
    return (row: Row) => row.stream === stream && row.decider === decider && row.version === version
  }
  const newestOf = (of: FoldRef, upTo?: bigint) =>
    snapshots
      .filter(isOf(of))
      .filter(({ revision }) => upTo === undefined || BigInt(revision) <= upTo)
      .reduce<Row | undefined>(
        (newest, row) => (newest && BigInt(newest.revision) > BigInt(row.revision) ? newest : row),
        undefined,
      )
  const headOf = (row: Row | undefined) => row && { revision: BigInt(row.revision), lineage: row.lineage }
  const drop = (isDropped: (row: Row) => boolean) => {
    const dropped = snapshots.filter(isDropped)
    snapshots = snapshots.filter((row) => !isDropped(row))
    for (const { lineage } of dropped) entriesOf.delete(lineage)
  }

  return {
    read: async (of, upTo) => newestOf(of, upTo),
    newest: async (of) => headOf(newestOf(of)),
    async entries(of, lineage, keys) {
      const newest = snapshots.filter(isOf(of)).findLast((row) => row.lineage === lineage)
      if (!newest) return undefined
      const all = [...(entriesOf.get(lineage)?.values() ?? [])]
      const entries = keys === 'all' ? all : all.filter(({ key }) => keys.includes(key))
      return { revision: BigInt(newest.revision), entries }
    },
    async write(of, { revision, lineage, subjectKey, state, entries, follows, keepsHistory }) {
      if (isSuperseded(headOf(newestOf(of)), { follows, revision })) return false
      const isOfThisFold = isOf(of)
      if (lineage !== follows) {
        drop((row) => isOfThisFold(row) && row.lineage === follows)
        drop((row) => row.stream === of.stream && row.decider === of.decider && row.version < of.version)
      }
      if (!keepsHistory) snapshots = snapshots.filter((row) => !isOfThisFold(row))
      snapshots.push({ ...of, revision: String(revision), lineage, subject_key: subjectKey, state })
      const stored = entriesOf.get(lineage) ?? new Map<string, EntryRow>()
      for (const entry of entries) stored.set(entry.key, entry)
      entriesOf.set(lineage, stored)
      return true
    },
    async drop(of, lineage) {
      const isOfThisFold = isOf(of)
      drop((row) => isOfThisFold(row) && row.lineage === lineage)
    },
  }
}

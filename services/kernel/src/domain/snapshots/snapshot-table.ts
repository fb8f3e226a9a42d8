/** One decider's fold of one stream. */
export interface FoldRef {
  stream: string
  decider: string
  version: number
}

export interface SnapshotRow {
  /** int8, as text. */
  revision: string
  lineage: string
  subject_key: string
  state: Buffer
}

export interface EntryRow {
  key: string
  value: Buffer
  subject_key: string | null
}

/** Where the newest snapshot of a fold stands. */
export interface Newest {
  revision: bigint
  lineage: string
}

export interface SnapshotWrite {
  revision: bigint
  lineage: string
  subjectKey: string
  state: Buffer
  entries: readonly EntryRow[]
  /** The lineage that this one follows, or begins anew after; undefined where nothing was saved before. */
  follows: string | undefined
  /** Whether earlier snapshots of a day are needed beside this one. */
  keepsHistory: boolean
}

/** Where snapshots and their entries are stored. */
export interface SnapshotTable {
  /** The newest snapshot, or with `upTo` the newest of those that stand at this revision or before. */
  read(of: FoldRef, upTo?: bigint): Promise<SnapshotRow | undefined>
  newest(of: FoldRef): Promise<Newest | undefined>
  /** Where the newest snapshot of a lineage stands, with its entries under these keys, or all of them; undefined: there is none. */
  entries(
    of: FoldRef,
    lineage: string,
    keys: readonly string[] | 'all',
  ): Promise<{ revision: bigint; entries: EntryRow[] } | undefined>
  /** All of it or nothing. False, and nothing, where it is superseded by what another process has saved. */
  write(of: FoldRef, snapshot: SnapshotWrite): Promise<boolean>
  /** Throws the snapshots of one lineage away, with their entries. */
  drop(of: FoldRef, lineage: string): Promise<void>
}

/** Whether another process has saved this fold since, or as far as that. */
export const isSuperseded = (
  newest: Newest | undefined,
  { follows, revision }: Pick<SnapshotWrite, 'follows' | 'revision'>,
): boolean => newest?.lineage !== follows || (newest !== undefined && newest.revision >= revision)

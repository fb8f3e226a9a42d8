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
  /** The lineage it continues or replaces; undefined for a first save. */
  follows: string | undefined
  /** True when snapshots of the last day are needed. */
  keepsHistory: boolean
}

export interface SnapshotTable {
  /** The newest at or before `upTo`. */
  read(of: FoldRef, upTo?: bigint): Promise<SnapshotRow | undefined>
  newest(of: FoldRef): Promise<Newest | undefined>
  /** With all entries, or those of the keys; undefined without a snapshot. */
  entries(
    of: FoldRef,
    lineage: string,
    keys: readonly string[] | 'all',
  ): Promise<{ revision: bigint; entries: EntryRow[] } | undefined>
  /** Atomic; false when another process has superseded it. */
  write(of: FoldRef, snapshot: SnapshotWrite): Promise<boolean>
  drop(of: FoldRef, lineage: string): Promise<void>
}

/** Another process saved this fold since, or as far. */
export const isSuperseded = (
  newest: Newest | undefined,
  { follows, revision }: Pick<SnapshotWrite, 'follows' | 'revision'>,
): boolean => newest?.lineage !== follows || (newest !== undefined && newest.revision >= revision)

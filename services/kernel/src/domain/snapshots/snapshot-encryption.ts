import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { addressSubject, type Subject } from '@prosa/contracts/events/subjects'
import { parseStream } from '@prosa/contracts/streams'
import type { Position } from '../../event-store/port.ts'
import { decrypt, encrypt } from '../../privacy/aes-gcm.ts'
import type { SecretBox } from '../../privacy/secret-box.ts'
import type { SubjectKeys } from '../../privacy/subject-keys.ts'
import type { Saving } from '../decider.ts'
import { type Entries, hasEntries, type Value } from './entries.ts'
import type { EntryRow, FoldRef, SnapshotRow } from './snapshot-table.ts'

export interface SnapshotHead {
  revision: bigint
  /** Detects a restored log that lacks the event. */
  eventId: string
  position: Position
  tenant: string
}

export const newLineage = (): string => randomUUID()

export const storedKey = (
  saving: Saving,
  { stream }: { stream: string },
  key: string,
  box: Pick<SecretBox, 'fingerprint'>,
) => (saving.entries?.isKeyPersonal?.(key) ? `#${box.fingerprint(`${stream} ${key}`, 'key of an entry')}` : key)

const stateContext = ({ stream, decider, version }: FoldRef, lineage: string, revision: bigint | string) =>
  `snapshot\n${stream}\n${decider}.${version}\n${lineage}\n${revision}`
const entryContext = (lineage: string, key: string) => `entry\n${lineage}\n${key}`

/** Entries are stored separately. */
const split = (state: unknown): { entries?: Entries; rest: unknown } => {
  if (!hasEntries(state)) return { rest: state }
  const { entries, ...rest } = state
  return { entries, rest }
}

/** Only looks up keys, never creates them: a missing key means erased. */
export const snapshotEncryption = (
  keys: Pick<SubjectKeys, 'current' | 'toDecrypt'>,
  box: Pick<SecretBox, 'fingerprint'>,
) => ({
  /** Undefined once its subject was erased. */
  async encryptState(of: FoldRef, saving: Saving, lineage: string, head: SnapshotHead, state: unknown) {
    const subject = saving.subject({ id: parseStream(of.stream).id, tenant: head.tenant })
    const key = (await keys.current([subject])).get(subject)
    if (!key) return undefined
    const { entries, rest } = split(state)
    const { revision, eventId, position, tenant } = head
    const text = JSON.stringify({ state: rest, eventId, position, owner: tenant, count: entries?.count ?? null })
    return { subjectKey: key.id, state: encrypt(key.key, text, stateContext(of, lineage, revision)) }
  },

  /** Undefined when erased. Throws on tampered or misplaced data. */
  async decryptState(of: FoldRef, row: SnapshotRow) {
    const key = (await keys.toDecrypt([row.subject_key])).get(row.subject_key)
    if (!key || key === 'erased') return undefined
    const text = decrypt(key.key, row.state, stateContext(of, row.lineage, row.revision)).toString()
    const { state, eventId, position, owner: tenant, count } = JSON.parse(text)
    const head: SnapshotHead = { revision: BigInt(row.revision), eventId, position, tenant }
    return { head, state: state as unknown, count: count as number | null }
  },

  async encryptEntries(
    of: FoldRef,
    saving: Saving,
    lineage: string,
    tenant: string,
    entries: Iterable<[string, Value]>,
  ): Promise<EntryRow[]> {
    const own = saving.subject({ id: parseStream(of.stream).id, tenant })
    const planned = await inSlices([...entries], ([name, value]) => {
      const whose = saving.entries?.personal?.(name, value)
      const subject: Subject | undefined =
        whose === 'stream' ? own : whose && addressSubject(tenant, whose.address, box.fingerprint)
      const erased = whose === undefined || whose === 'stream' ? null : whose.erased
      return { key: storedKey(saving, of, name, box), value, subject, erased }
    })
    const found = await keys.current([...new Set(planned.flatMap(({ subject }) => subject ?? []))])
    return inSlices(planned, ({ key, value, subject, erased }) => {
      const entryKey = subject && found.get(subject)
      if (!entryKey) return { key, value: Buffer.from(JSON.stringify(subject ? erased : value)), subject_key: null }
      const text = JSON.stringify(value)
      // The `erased` value is not personal and stays readable without the key.
      const encrypted = encrypt(entryKey.key, text, entryContext(lineage, key))
      return { key, value: Buffer.concat([prefixed(erased), encrypted]), subject_key: entryKey.id }
    })
  },

  /** By stored key; null when erased. Throws on tampered data. */
  async decryptEntries(lineage: string, rows: readonly EntryRow[]): Promise<Map<string, Value | null>> {
    const ids = [...new Set(rows.flatMap(({ subject_key }) => subject_key ?? []))]
    const found = await keys.toDecrypt(ids)
    return new Map(
      rows.map(({ key, value, subject_key }) => {
        if (subject_key === null) return [key, JSON.parse(value.toString())]
        const entryKey = found.get(subject_key)
        if (!entryKey) throw new Error('the key of an entry is missing')
        const length = value.readUInt8(0)
        if (entryKey === 'erased') return [key, JSON.parse(value.toString('utf8', 1, 1 + length))]
        const text = decrypt(entryKey.key, value.subarray(1 + length), entryContext(lineage, key)).toString()
        return [key, JSON.parse(text)]
      }),
    )
  },
})

/** A first save encrypts thousands of entries: yields in between. */
const entriesPerSlice = 1000
const inSlices = async <T, R>(items: readonly T[], make: (item: T) => R): Promise<R[]> => {
  const made: R[] = []
  for (const item of items) {
    if (made.length > 0 && made.length % entriesPerSlice === 0) await setImmediate()
    made.push(make(item))
  }
  return made
}

const prefixed = (erased: string | null): Buffer => {
  const text = Buffer.from(JSON.stringify(erased))
  return Buffer.concat([Buffer.from([text.length]), text])
}

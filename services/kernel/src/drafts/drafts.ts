import { userSubject } from '@prosa/contracts/events/subjects'
import type { Pool } from 'pg'
import { keyedQueue } from '../async/keyed-queue.ts'
import type { Budgets } from '../budgets.ts'
import { transaction } from '../postgres/pool.ts'
import { decrypt, encrypt } from '../privacy/aes-gcm.ts'
import type { SecretBox } from '../privacy/secret-box.ts'
import type { SubjectKeys } from '../privacy/subject-keys.ts'
import {
  confirmDraft,
  type DraftRef,
  deleteDrafts,
  deleteDraftsOf,
  deleteLeftOver,
  findLeftOver,
  holdDraftsOf,
  measureDrafts,
  type PlannedDraft,
  planDrafts,
  readEncryptedDraft,
  writeDraft,
} from './queries.ts'

export type { DraftRef, PlannedDraft } from './queries.ts'

export interface FlowLimit {
  flows: number
  knownIds: readonly string[]
}

/** A draft is stored before the event that names it by revision and digest. */
export interface Drafts {
  /** Keyed, as the text may be guessed. */
  digestOf(tenant: string, text: string): string
  /** Reserves room for all drafts or none, over all processes; 'full': the budget, 'too_many': `limit`. */
  plan(tenant: string, drafts: readonly PlannedDraft[], limit?: FlowLimit): Promise<'planned' | 'full' | 'too_many'>
  write(tenant: string, ref: DraftRef, text: string): Promise<void>
  /** Undefined if superseded or erased; throws if altered. */
  read(tenant: string, ref: DraftRef): Promise<string | undefined>
  /** Called once an event names the draft; deletes superseded ones. */
  confirm(ref: DraftRef): Promise<void>
  drop(tenant: string, ids: readonly string[]): Promise<void>
  forget(tenant: string): Promise<void>
  /** Drafts that no event has named for an hour. */
  leftOver(limit: number): Promise<(DraftRef & { tenant: string })[]>
  dropLeftOver(ref: DraftRef): Promise<void>
}

export interface DraftsDeps {
  pool: Pool
  subjectKeys: Pick<SubjectKeys, 'toEncrypt' | 'toDecrypt'>
  box: Pick<SecretBox, 'fingerprint'>
  budgets: Pick<Budgets, 'draftBytesPerTenant'>
}

const contextOf = (tenant: string, { id, revision, digest }: DraftRef) =>
  `draft\n${tenant}\n${id}\n${revision}\n${digest}`

export const postgresDrafts = ({ pool, subjectKeys, box, budgets }: DraftsDeps): Drafts => {
  const keyOf = async (tenant: string) => {
    const subject = userSubject(tenant)
    const key = (await subjectKeys.toEncrypt([subject])).get(subject)
    if (!key) throw new Error('an account has no key')
    return key
  }

  /** Serial per tenant: one must not take all connections. */
  const queue = keyedQueue()

  return {
    digestOf: (tenant, text) => box.fingerprint(`${tenant}\n${text}`, 'draft'),

    async plan(tenant, drafts, limit) {
      const { id } = await keyOf(tenant)
      const work = () =>
        transaction(pool, async (db) => {
          await holdDraftsOf(db, tenant)
          const { bytes, flows } = await measureDrafts(db, tenant, drafts, limit?.knownIds ?? [])
          if (limit && flows > limit.flows) return 'too_many'
          if (bytes > budgets.draftBytesPerTenant) return 'full'
          await planDrafts(db, tenant, drafts, id)
          return 'planned'
        })
      return queue.run(tenant, work)
    },

    async write(tenant, ref, text) {
      const { id, key } = await keyOf(tenant)
      const document = encrypt(key, text, contextOf(tenant, ref))
      await writeDraft(pool, tenant, { ...ref, bytes: document.length }, { subjectKey: id, document })
    },

    async read(tenant, ref) {
      const encrypted = await readEncryptedDraft(pool, tenant, ref)
      if (!encrypted) return undefined
      const key = (await subjectKeys.toDecrypt([encrypted.subjectKey])).get(encrypted.subjectKey)
      if (!key) throw new Error('the key of a draft is missing')
      return key === 'erased' ? undefined : decrypt(key.key, encrypted.document, contextOf(tenant, ref)).toString()
    },

    confirm: (ref) => confirmDraft(pool, ref),
    drop: (tenant, ids) => deleteDrafts(pool, tenant, ids),
    forget: (tenant) => deleteDraftsOf(pool, tenant),
    leftOver: (limit) => findLeftOver(pool, limit),
    dropLeftOver: (ref) => deleteLeftOver(pool, ref),
  }
}

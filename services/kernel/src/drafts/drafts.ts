import { userSubject } from '@prosa/contracts/events/subjects'
import type { Pool } from 'pg'
import { keyedQueue } from '../async/keyed-queue.ts'
import type { Budgets } from '../budgets.ts'
import { transaction } from '../postgres/pool.ts'
import { lock, unlock } from '../privacy/aes-gcm.ts'
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
  readSealedDraft,
  writeDraft,
} from './queries.ts'

export type { DraftRef, PlannedDraft } from './queries.ts'

/** How many flows a tenant may have, of which these are known without their drafts. */
export interface FlowLimit {
  flows: number
  knownIds: readonly string[]
}

/**
 * The drafts of flows as they are now, beside the log: an event names each one by revision and digest, and what it supersedes goes. A draft
 * is stored before the event that names it, so that an event never names what is not there.
 */
export interface Drafts {
  /** What tells this text from others of the same tenant; keyed, as the text may be guessed. */
  digestOf(owner: string, text: string): string
  /**
   * Holds room for all of these drafts or for none, over all processes; 'full' and 'too_many' name what is in the way: the budget of
   * bytes, or `limit`.
   */
  plan(owner: string, drafts: readonly PlannedDraft[], limit?: FlowLimit): Promise<'planned' | 'full' | 'too_many'>
  write(owner: string, ref: DraftRef, text: string): Promise<void>
  /** Undefined where it was superseded, or the account was erased. Throws where it was changed. */
  read(owner: string, ref: DraftRef): Promise<string | undefined>
  /** The log names it. */
  confirm(ref: DraftRef): Promise<void>
  /** Of flows that were deleted. */
  drop(owner: string, ids: readonly string[]): Promise<void>
  /** Of an account that was erased. */
  forget(owner: string): Promise<void>
  /** Those of an hour ago and before that no event was seen for, up to so many. */
  leftOver(limit: number): Promise<(DraftRef & { owner: string })[]>
  dropLeftOver(ref: DraftRef): Promise<void>
}

export interface DraftsDeps {
  pool: Pool
  subjectKeys: Pick<SubjectKeys, 'toLock' | 'toUnlock'>
  box: Pick<SecretBox, 'fingerprint'>
  budgets: Budgets
}

/** Binds a sealed draft to its row. */
const place = (owner: string, { id, revision, digest }: DraftRef) => `draft\n${owner}\n${id}\n${revision}\n${digest}`

export const postgresDrafts = ({ pool, subjectKeys, box, budgets }: DraftsDeps): Drafts => {
  const keyOf = async (owner: string) => {
    const subject = userSubject(owner)
    const key = (await subjectKeys.toLock([subject])).get(subject)
    if (!key) throw new Error('an account was left without a key')
    return key
  }

  /** One after the other for one tenant: a flood of one tenant's requests must not take every connection to the database. */
  const inTurn = keyedQueue()

  return {
    digestOf: (owner, text) => box.fingerprint(`${owner}\n${text}`, 'draft'),

    async plan(owner, drafts, limit) {
      const { id } = await keyOf(owner)
      const work = () =>
        transaction(pool, async (db) => {
          await holdDraftsOf(db, owner)
          const { bytes, flows } = await measureDrafts(db, owner, drafts, limit?.knownIds ?? [])
          if (limit && flows > limit.flows) return 'too_many'
          if (bytes > budgets.draftBytesPerTenant) return 'full'
          await planDrafts(db, owner, drafts, id)
          return 'planned'
        })
      return inTurn.run(owner, work)
    },

    async write(owner, ref, text) {
      const { id, key } = await keyOf(owner)
      const document = lock(key, text, place(owner, ref))
      await writeDraft(pool, owner, { ...ref, bytes: document.length }, { subjectKey: id, document })
    },

    async read(owner, ref) {
      const sealed = await readSealedDraft(pool, owner, ref)
      if (!sealed) return undefined
      const key = (await subjectKeys.toUnlock([sealed.subjectKey])).get(sealed.subjectKey)
      if (!key) throw new Error('the key of a draft is missing')
      return key === 'erased' ? undefined : unlock(key.key, sealed.document, place(owner, ref)).toString()
    },

    confirm: (ref) => confirmDraft(pool, ref),
    drop: (owner, ids) => deleteDrafts(pool, owner, ids),
    forget: (owner) => deleteDraftsOf(pool, owner),
    leftOver: (limit) => findLeftOver(pool, limit),
    dropLeftOver: (ref) => deleteLeftOver(pool, ref),
  }
}

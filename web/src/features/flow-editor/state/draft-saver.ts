import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { ApiProblem, sentenceOf } from '../../../lib/http/http.ts'

/** Deep equality of JSON values, whatever the order of keys. */
const sameValue = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [entries, size] = [Object.entries(one), Object.keys(other).length]
  return entries.length === size && entries.every(([key, value]) => sameValue(value, (other as never)[key]))
}

/** `local`: stored in this browser only; a retry follows. */
export type Saving =
  | { kind: 'saved'; at: string }
  | { kind: 'changed' }
  | { kind: 'saving' }
  | { kind: 'local' }
  | { kind: 'conflict' }
  | { kind: 'refused'; sentence: string }

export interface Draft {
  document: FlowDocument
  /** Revision of the server when it was last read or saved. */
  revision: number
  updatedAt: string
}

export interface LocalDraft {
  document: FlowDocument
  basedOn: number
}

interface Ports {
  save: (body: { document: FlowDocument; basedOn: number }) => Promise<{ revision: number; updatedAt: string }>
  read: () => Promise<Draft>
  /** Stores the unsaved draft in this browser; null removes it. */
  keep: (draft: LocalDraft | null) => void
  /** From the last edit to the save, and between retries. */
  pauseMs: number
  retryMs: number
}

const isConflict = (error: unknown) => error instanceof ApiProblem && error.type === 'flow_draft_conflict'
const refusedForToday = ['day_used_up', 'drafts_of_day_used_up']
/** A retry would not help now: invalid, refused or over the daily limit. */
const isRefused = (error: unknown) =>
  error instanceof ApiProblem &&
  error.status >= 400 &&
  error.status < 500 &&
  (![401, 408, 429].includes(error.status) || refusedForToday.includes(error.type))

/** Saves a draft shortly after an edit, retries failures and never overwrites another person's save. */
export class DraftSaver {
  readonly #ports: Ports
  readonly #listeners = new Set<() => void>()
  #latest: FlowDocument
  #saved: FlowDocument
  #revision: number
  #savedAt: string
  #state: Saving
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | null = null
  #hasEnded = false

  constructor(draft: Draft, local: LocalDraft | null, ports: Ports) {
    this.#ports = ports
    this.#saved = draft.document
    this.#latest = draft.document
    this.#revision = draft.revision
    this.#savedAt = draft.updatedAt
    this.#state = { kind: 'saved', at: draft.updatedAt }
    if (!local || sameValue(local.document, draft.document)) return
    this.#latest = local.document
    if (local.basedOn === draft.revision) this.#state = { kind: 'local' }
    else {
      this.#revision = local.basedOn
      this.#state = { kind: 'conflict' }
    }
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  state = (): Saving => this.#state

  get document(): FlowDocument {
    return this.#latest
  }
  get revision(): number {
    return this.#revision
  }
  get isUnsaved(): boolean {
    return this.#latest !== this.#saved
  }

  note(document: FlowDocument): void {
    if (document === this.#latest) return
    this.#latest = document
    if (this.#state.kind === 'conflict' || this.#running) return
    this.#wait()
  }

  /** Saves now, and again after edits made meanwhile. True if everything is saved. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer)
    do {
      if (this.#running) await this.#running
      if (!this.isUnsaved || this.#state.kind === 'conflict') break
      this.#running = this.#save().finally(() => {
        this.#running = null
      })
      await this.#running
    } while (this.#state.kind === 'changed')
    return !this.isUnsaved && this.#state.kind !== 'conflict'
  }

  /** The page may be about to close. */
  keepUnsaved(): void {
    if (this.isUnsaved) this.#ports.keep({ document: this.#latest, basedOn: this.#revision })
  }

  begin(): void {
    this.#hasEnded = false
  }

  /** Another request reported a conflict. */
  meetConflict(): void {
    this.keepUnsaved()
    this.#become({ kind: 'conflict' })
  }

  /** Saves once more; after a failure the draft stays in this browser. */
  end(): Promise<boolean> {
    this.#hasEnded = true
    this.keepUnsaved()
    return this.flush()
  }

  load(draft: Draft): void {
    this.#latest = draft.document
    this.#saved = draft.document
    this.#revision = draft.revision
    this.#savedAt = draft.updatedAt
    this.#settle()
  }

  /** After a conflict: overwrites the server's draft. */
  async saveOver(): Promise<boolean> {
    this.#revision = (await this.#ports.read()).revision
    this.#become({ kind: 'changed' })
    return this.flush()
  }

  async #save(): Promise<void> {
    const document = this.#latest
    this.#become({ kind: 'saving' })
    try {
      const { revision, updatedAt } = await this.#ports.save({ document, basedOn: this.#revision })
      this.#accept(document, revision, updatedAt)
    } catch (error) {
      await this.#fail(document, error)
    }
  }

  #accept(document: FlowDocument, revision: number, updatedAt: string) {
    this.#saved = document
    this.#revision = revision
    this.#savedAt = updatedAt
    this.#wait()
  }

  async #fail(document: FlowDocument, error: unknown) {
    this.keepUnsaved()
    if (isConflict(error)) {
      // If the reply of an earlier save was lost, the conflicting revision is our own.
      const stored = await this.#ports.read().catch(() => null)
      if (stored && sameValue(stored.document, document))
        return this.#accept(document, stored.revision, stored.updatedAt)
      return this.#become({ kind: 'conflict' })
    }
    if (isRefused(error))
      return this.#become({ kind: 'refused', sentence: sentenceOf(error, 'O fluxo não pôde ser salvo.') })
    this.#become({ kind: 'local' })
    this.#saveIn(this.#ports.retryMs)
  }

  #wait() {
    if (this.isUnsaved) {
      this.#become({ kind: 'changed' })
      this.#saveIn(this.#ports.pauseMs)
    } else this.#settle()
  }

  #settle() {
    clearTimeout(this.#timer)
    this.#ports.keep(null)
    this.#become({ kind: 'saved', at: this.#savedAt })
  }

  #saveIn(ms: number) {
    clearTimeout(this.#timer)
    if (this.#hasEnded) return
    this.#timer = setTimeout(() => void this.flush(), ms)
  }

  #become(state: Saving) {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { ApiProblem, sentenceOf } from '../../../lib/http.ts'
import { sameValue } from './same-value.ts'

/** How the draft stands to what the server has. `kept`: not there yet, but in this browser, and tried again. */
export type Saving =
  | { kind: 'saved'; at: string }
  | { kind: 'changed' }
  | { kind: 'saving' }
  | { kind: 'kept' }
  | { kind: 'conflict' }
  | { kind: 'refused'; sentence: string }

export interface Draft {
  document: FlowDocument
  /** What the server counted as its latest saving when it was read or saved here. */
  revision: number
  /** When it was saved last, as the server states it. */
  updatedAt: string
}

export interface KeptDraft {
  document: FlowDocument
  basedOn: number
}

interface Ports {
  save: (body: { document: FlowDocument; basedOn: number }) => Promise<{ revision: number; updatedAt: string }>
  read: () => Promise<Draft>
  /** What this browser keeps until the server has it; null: nothing any more. */
  keep: (draft: KeptDraft | null) => void
  /** From the last edit until it is saved, and between two tries, in ms. */
  pauseMs: number
  retryMs: number
}

const isConflict = (error: unknown) => error instanceof ApiProblem && error.type === 'flow_draft_conflict'
const refusedForToday = ['day_used_up', 'drafts_of_day_used_up']
/** Refused for good, as it is, or until tomorrow: trying again in a moment would change nothing. */
const isRefused = (error: unknown) =>
  error instanceof ApiProblem &&
  error.status >= 400 &&
  error.status < 500 &&
  (![401, 408, 429].includes(error.status) || refusedForToday.includes(error.type))

/** Saves a draft a moment after it was edited, again where that failed, and never over what somebody else saved. */
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

  /** `kept` is what an earlier visit could not save. */
  constructor(draft: Draft, kept: KeptDraft | null, ports: Ports) {
    this.#ports = ports
    this.#saved = draft.document
    this.#latest = draft.document
    this.#revision = draft.revision
    this.#savedAt = draft.updatedAt
    this.#state = { kind: 'saved', at: draft.updatedAt }
    if (!kept || sameValue(kept.document, draft.document)) return
    this.#latest = kept.document
    if (kept.basedOn === draft.revision) this.#state = { kind: 'kept' }
    else {
      this.#revision = kept.basedOn
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

  /** The draft as it is now. */
  note(document: FlowDocument): void {
    if (document === this.#latest) return
    this.#latest = document
    if (this.#state.kind === 'conflict' || this.#running) return
    this.#wait()
  }

  /** Saves now, and once more where it was edited meanwhile. Answers whether all of it is saved. */
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

  /** Keeps in this browser what is not saved: the page may be about to go. */
  keepUnsaved(): void {
    if (this.isUnsaved) this.#ports.keep({ document: this.#latest, basedOn: this.#revision })
  }

  begin(): void {
    this.#hasEnded = false
  }

  /** Somebody else saved it meanwhile, as another request was answered. */
  meetConflict(): void {
    this.keepUnsaved()
    this.#become({ kind: 'conflict' })
  }

  /** Saves once more; what fails then waits in this browser for the next visit. */
  end(): Promise<boolean> {
    this.#hasEnded = true
    this.keepUnsaved()
    return this.flush()
  }

  /** What the server has is the draft now. */
  load(draft: Draft): void {
    this.#latest = draft.document
    this.#saved = draft.document
    this.#revision = draft.revision
    this.#savedAt = draft.updatedAt
    this.#settle()
  }

  /** After a conflict: this draft, over what is saved. */
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
      // An answer that was lost on its way back: the saving that stands in the way is this one.
      const stored = await this.#ports.read().catch(() => null)
      if (stored && sameValue(stored.document, document))
        return this.#accept(document, stored.revision, stored.updatedAt)
      return this.#become({ kind: 'conflict' })
    }
    if (isRefused(error))
      return this.#become({ kind: 'refused', sentence: sentenceOf(error, 'O fluxo não pôde ser salvo.') })
    this.#become({ kind: 'kept' })
    this.#saveIn(this.#ports.retryMs)
  }

  /** For a pause in the editing, where there is anything to save. */
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

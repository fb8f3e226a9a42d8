import { personalKey } from '../../../lib/personal-storage.ts'
import type { KeptDraft } from './draft-saver.ts'

const keyOf = (flowId: string) => personalKey(`flow-draft:${flowId}`)

const isKeptDraft = (value: unknown): value is KeptDraft => {
  const { document, basedOn } = (value ?? {}) as Partial<KeptDraft>
  return typeof basedOn === 'number' && Array.isArray(document?.nodes) && Array.isArray(document.links)
}

/** What an earlier visit in this browser could not save. */
export const readKeptDraft = (flowId: string): KeptDraft | null => {
  const text = localStorage.getItem(keyOf(flowId))
  if (text === null) return null
  try {
    const kept: unknown = JSON.parse(text)
    return isKeptDraft(kept) ? kept : null
  } catch {
    // Somebody changed it by hand: what the server has is the draft.
    return null
  }
}

/** Keeps a draft until the server has it; null forgets it. */
export const keepDraft = (flowId: string, draft: KeptDraft | null): void => {
  try {
    if (draft === null) localStorage.removeItem(keyOf(flowId))
    else localStorage.setItem(keyOf(flowId), JSON.stringify(draft))
  } catch (error) {
    // The storage is full. The page still has the draft, and asks before it goes.
    if (!(error instanceof DOMException)) throw error
  }
}

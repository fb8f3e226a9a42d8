import { personalKey } from '../../../lib/personal-storage.ts'
import type { KeptDraft } from './draft-saver.ts'

const keyOf = (flowId: string) => personalKey(`flow-draft:${flowId}`)

const isKeptDraft = (value: unknown): value is KeptDraft => {
  const { document, basedOn } = (value ?? {}) as Partial<KeptDraft>
  return typeof basedOn === 'number' && Array.isArray(document?.nodes) && Array.isArray(document.links)
}

export const readKeptDraft = (flowId: string): KeptDraft | null => {
  const text = localStorage.getItem(keyOf(flowId))
  if (text === null) return null
  try {
    const kept: unknown = JSON.parse(text)
    return isKeptDraft(kept) ? kept : null
  } catch {
    // Edited by hand: the server's draft is used.
    return null
  }
}

export const keepDraft = (flowId: string, draft: KeptDraft | null): void => {
  try {
    if (draft === null) localStorage.removeItem(keyOf(flowId))
    else localStorage.setItem(keyOf(flowId), JSON.stringify(draft))
  } catch (error) {
    // The storage is full; the page warns before it closes.
    if (!(error instanceof DOMException)) throw error
  }
}

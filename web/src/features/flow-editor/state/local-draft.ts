import { personalKey } from '../../../lib/personal-storage.ts'
import type { LocalDraft } from './draft-saver.ts'

const keyOf = (flowId: string) => personalKey(`flow-draft:${flowId}`)

const isLocalDraft = (value: unknown): value is LocalDraft => {
  const { document, basedOn } = (value ?? {}) as Partial<LocalDraft>
  return typeof basedOn === 'number' && Array.isArray(document?.nodes) && Array.isArray(document.links)
}

export const readLocalDraft = (flowId: string): LocalDraft | null => {
  const text = localStorage.getItem(keyOf(flowId))
  if (text === null) return null
  try {
    const stored: unknown = JSON.parse(text)
    return isLocalDraft(stored) ? stored : null
  } catch {
    // Edited by hand: the server's draft is used.
    return null
  }
}

export const storeLocalDraft = (flowId: string, draft: LocalDraft | null): void => {
  try {
    if (draft === null) localStorage.removeItem(keyOf(flowId))
    else localStorage.setItem(keyOf(flowId), JSON.stringify(draft))
  } catch (error) {
    // The storage is full; the page warns before it closes.
    if (!(error instanceof DOMException)) throw error
  }
}

import type { FlowDetail } from '@prosa/contracts/http/flows'
import { useCallback, useEffect, useReducer, useState, useSyncExternalStore } from 'react'
import { personalKey } from '../../../lib/browser/personal-storage.ts'
import { call } from '../../../lib/http/call.ts'
import { noteLeaving, readFlow } from '../api.ts'
import { DraftSaver, type LocalDraft } from './draft-saver.ts'
import { editing, flowEdits } from './flow-edits.ts'

const keyOf = (flowId: string) => personalKey(`flow-draft:${flowId}`)

const isLocalDraft = (value: unknown): value is LocalDraft => {
  const { document, basedOn } = (value ?? {}) as Partial<LocalDraft>
  return typeof basedOn === 'number' && Array.isArray(document?.nodes) && Array.isArray(document.links)
}

const readLocalDraft = (flowId: string): LocalDraft | null => {
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

const storeLocalDraft = (flowId: string, draft: LocalDraft | null): void => {
  try {
    if (draft === null) localStorage.removeItem(keyOf(flowId))
    else localStorage.setItem(keyOf(flowId), JSON.stringify(draft))
  } catch (error) {
    // The storage is full; the page warns before it closes.
    if (!(error instanceof DOMException)) throw error
  }
}

const pauseMs = 1200
const retryMs = 8000

const saverOf = (flow: FlowDetail) =>
  new DraftSaver(flow, readLocalDraft(flow.id), {
    save: (body) => call('PUT /api/flows/:id/draft', { params: { id: flow.id }, body }),
    read: () => readFlow(flow.id),
    keep: (draft) => storeLocalDraft(flow.id, draft),
    pauseMs,
    retryMs,
  })

/** Saves on leaving, keeps unsaved drafts in this browser and warns before the page closes. */
const useNothingLost = (flowId: string, saver: DraftSaver) =>
  useEffect(() => {
    saver.begin()
    if (saver.isUnsaved) void saver.flush()
    const onHidden = () => {
      if (document.visibilityState === 'hidden') void saver.flush()
    }
    const onOnline = () => void saver.flush()
    const onPageHide = () => saver.keepUnsaved()
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (!saver.isUnsaved) return
      saver.keepUnsaved()
      event.preventDefault()
    }
    document.addEventListener('visibilitychange', onHidden)
    window.addEventListener('online', onOnline)
    window.addEventListener('pagehide', onPageHide)
    window.addEventListener('beforeunload', onBeforeUnload)
    return () => {
      document.removeEventListener('visibilitychange', onHidden)
      window.removeEventListener('online', onOnline)
      window.removeEventListener('pagehide', onPageHide)
      window.removeEventListener('beforeunload', onBeforeUnload)
      if (saver.isUnsaved) noteLeaving(flowId, saver.end())
    }
  }, [flowId, saver])

export const useDraft = (flow: FlowDetail) => {
  const [saver] = useState(() => saverOf(flow))
  const [state, edit] = useReducer(flowEdits, saver.document, editing)
  const saving = useSyncExternalStore(saver.subscribe, saver.state)
  useNothingLost(flow.id, saver)
  useEffect(() => saver.note(state.document), [saver, state.document])

  const load = useCallback(
    (stored: FlowDetail) => {
      saver.load(stored)
      edit({ type: 'load', document: stored.document })
    },
    [saver],
  )
  /** True if everything is saved. */
  const save = useCallback(() => {
    saver.note(state.document)
    return saver.flush()
  }, [saver, state.document])

  return { state, edit, saver, saving, load, save }
}

export type DraftEditing = ReturnType<typeof useDraft>

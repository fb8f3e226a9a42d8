import { type RefObject, useCallback, useEffect, useMemo, useRef } from 'react'

export interface ConversationRefs {
  composer: RefObject<HTMLTextAreaElement | null>
  attach: RefObject<HTMLButtonElement | null>
  find: RefObject<HTMLInputElement | null>
}

/** References are stable between renders. */
export const useFocusTargets = () => {
  const column = useRef<HTMLElement>(null)
  const list = useRef<HTMLElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const pane = useRef<HTMLElement>(null)
  const composer = useRef<HTMLTextAreaElement>(null)
  const attach = useRef<HTMLButtonElement>(null)
  const find = useRef<HTMLInputElement>(null)
  const conversation = useMemo<ConversationRefs>(() => ({ composer, attach, find }), [])

  /** False without a writable composer. */
  const focusComposer = useCallback((): boolean => {
    composer.current?.focus()
    return document.activeElement === composer.current
  }, [])
  const focusList = useCallback(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    const target = list.current ?? column.current
    target?.focus()
  }, [])
  return { column, list, search, pane, conversation, focusComposer, focusList }
}

export type FocusTargets = ReturnType<typeof useFocusTargets>

interface PaneFocus {
  oneColumn: boolean
  selectedId: string | null
  targets: FocusTargets
}

/** In one column the list hides: the focus moves along, unless the composer has it. */
export const usePaneFocus = ({ oneColumn, selectedId, targets: { pane, conversation } }: PaneFocus): void => {
  useEffect(() => {
    if (oneColumn && selectedId !== null && document.activeElement !== conversation.composer.current)
      pane.current?.focus({ preventScroll: true })
  }, [oneColumn, selectedId, conversation, pane])
}

import type { Message } from '@prosa/contracts/http/live-chat'
import { useAtom } from 'jotai'
import { type FocusEvent, type KeyboardEvent, useEffect } from 'react'
import { messageCursorAtom } from '../atoms.ts'
import { type BubbleActions, canBeAnswered } from './bubble/bubble-actions.ts'
import { bubbleId } from './message-bubble.tsx'

export interface HistoryKeys {
  /** ↓ below the last message. */
  onBelow: () => void
}

interface Options {
  messages: Message[]
  historyKeys: HistoryKeys
  actions: BubbleActions
  reveal: (messageId: string, align: 'auto' | 'center') => boolean
  /** Null once the latest message is loaded. */
  onLatest: (() => void) | null
}

/** The first control in the message. */
const press = (messageId: string): boolean => {
  const thing = document.getElementById(bubbleId(messageId))?.querySelector<HTMLElement>('button, a[href]')
  thing?.click()
  return thing !== null && thing !== undefined
}

/** ↑ ↓ (K J) move, Home and End jump, Enter opens, R replies, + reacts, F2 edits, Delete deletes, Ctrl+C copies. */
export const useMessageKeys = ({ messages, historyKeys, actions, reveal, onLatest }: Options) => {
  const [cursor, setCursor] = useAtom(messageCursorAtom)
  useEffect(() => () => setCursor(null), [setCursor])

  const moveTo = (message: Message | undefined) => {
    if (!message) return
    setCursor(message.id)
    reveal(message.id, 'auto')
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.altKey) return
    const at = messages.findIndex(({ id }) => id === cursor)
    const current = messages[at]
    const use = (action: () => unknown) => {
      event.preventDefault()
      action()
    }
    if (event.ctrlKey || event.metaKey) {
      const isCopy = event.key.toLowerCase() === 'c' && !event.shiftKey && getSelection()?.isCollapsed !== false
      return current && isCopy && current.content !== '' ? use(() => actions.onCopy(current)) : undefined
    }
    switch (event.key) {
      case 'ArrowUp':
      case 'k':
      case 'K':
        return use(() => moveTo(at === -1 ? messages.at(-1) : messages[at - 1]))
      case 'ArrowDown':
      case 'j':
      case 'J':
        if (at === -1 || (at === messages.length - 1 && !onLatest)) return use(historyKeys.onBelow)
        return use(() => moveTo(messages[at + 1]))
      case 'Home':
        return use(() => moveTo(messages[0]))
      case 'End':
        return use(onLatest ?? (() => moveTo(messages.at(-1))))
      case 'Enter':
        return current && press(current.id) ? event.preventDefault() : undefined
      case 'F2':
        return current ? use(() => actions.onEdit(current)) : undefined
      case 'Delete':
        return current ? use(() => actions.onDelete(current)) : undefined
      case 'r':
      case 'R':
        return current && canBeAnswered(current) ? use(() => actions.onReply(current)) : undefined
      case '+':
      case '=':
        return current && canBeAnswered(current) ? use(() => actions.onChooseReaction(current)) : undefined
      default:
        return undefined
    }
  }

  const onFocus = (event: FocusEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || cursor !== null) return
    if (event.currentTarget.matches(':focus-visible')) setCursor(messages.at(-1)?.id ?? null)
  }

  return { onKeyDown, onFocus }
}

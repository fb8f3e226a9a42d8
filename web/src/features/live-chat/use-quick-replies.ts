import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { findQuickReplies, quickRepliesQuery } from '../../lib/quick-replies.ts'

/** What comes after the slash while the text asks for quick replies; null for any other text. */
export const quickReplySearch = (text: string): string | null =>
  text.startsWith('/') && !text.includes('\n') ? text.slice(1) : null

interface Options {
  /** What stands in the composer. */
  text: string
  /** False while nothing can be written; then nothing is read either. */
  active: boolean
  /** Puts the content in the box, in place of all that stands there. */
  onChoose: (content: string) => void
}

/**
 * Quick replies in the composer. Spread `inputProps` on its textarea, give each of its key presses to `onKeyDown` first (true:
 * the key was used, leave it alone), and show `<QuickReplyPopup {...popup} />` above it while `popup` is not null.
 */
export const useQuickReplies = ({ text, active, onChoose }: Options) => {
  const listId = useId()
  const [used, setUsed] = useState(false)
  const [focused, setFocused] = useState(false)
  const [closed, setClosed] = useState(false)
  const [cursor, setCursor] = useState({ search: '', index: 0 })

  const search = quickReplySearch(text)
  if (search === null && closed) setClosed(false)
  const open = active && focused && search !== null && !closed

  const query = useQuery({ ...quickRepliesQuery, enabled: active && used })
  const replies = useMemo(() => query.data?.filter(({ isActive }) => isActive) ?? [], [query.data])
  const found = useMemo(() => findQuickReplies(replies, search ?? ''), [replies, search])
  // Other words begin at the top again.
  const index = cursor.search === search ? Math.min(cursor.index, Math.max(found.length - 1, 0)) : 0
  const chosen = found[index]
  const optionId = (at: number) => `${listId}-${at}`

  const choose = (content: string) => {
    setClosed(true)
    onChoose(content)
  }
  const moveTo = (to: number) => setCursor({ search: search ?? '', index: to })

  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!open || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false
    if (event.key === 'Escape') setClosed(true)
    else if (event.key === 'ArrowDown') moveTo(index + 1 < found.length ? index + 1 : 0)
    else if (event.key === 'ArrowUp') moveTo(index > 0 ? index - 1 : Math.max(found.length - 1, 0))
    // Without a match nothing happens: a mistyped shortcut is not sent to the customer.
    else if (event.key === 'Enter' && !event.shiftKey) chosen && choose(chosen.content)
    else return false
    event.preventDefault()
    return true
  }

  return {
    popup: open
      ? {
          listId,
          optionId,
          search,
          found,
          index,
          hasReplies: replies.length > 0,
          isPending: query.isPending,
          error: query.data ? null : query.error,
          onRetry: () => void query.refetch(),
          onChoose: choose,
          onPoint: moveTo,
        }
      : null,
    onKeyDown,
    // ARIA knows no combobox of several lines: these say as much as a textbox may.
    inputProps: {
      onFocus: () => {
        setUsed(true)
        setFocused(true)
      },
      onBlur: () => setFocused(false),
      'aria-autocomplete': 'list' as const,
      'aria-controls': open ? listId : undefined,
      'aria-activedescendant': open && chosen ? optionId(index) : undefined,
    },
  }
}

export type QuickReplyPopupState = NonNullable<ReturnType<typeof useQuickReplies>['popup']>

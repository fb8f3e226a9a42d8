import { shownAnswer } from '@prosa/contracts/values/answers/read-answer'
import { filledText, firstNameOf } from '@prosa/contracts/values/text/filled-text'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, type SyntheticEvent, useId, useMemo, useState } from 'react'
import { contactFieldsQuery } from '../../../../lib/account/contact-fields.ts'
import { useCurrentUser } from '../../../../lib/account/current-user.ts'
import { findQuickReplies, quickRepliesQuery } from '../../../../lib/account/quick-replies.ts'
import { fieldValuesQuery } from '../../api.ts'
import { quickReplyTrigger } from './quick-reply-trigger.ts'

interface Options {
  text: string
  /** False while writing is impossible; nothing is fetched then. */
  active: boolean
  name: string | null
  contactId: string
  onChoose: (from: number, to: number, content: string) => void
}

/** By variable, as people write them; empty without a value. */
const useOwnFields = (contactId: string, enabled: boolean): Readonly<Record<string, string>> => {
  const { data: fields } = useQuery({ ...contactFieldsQuery, enabled })
  const { data: values } = useQuery({ ...fieldValuesQuery(contactId), enabled: enabled && (fields?.length ?? 0) > 0 })
  return useMemo(() => {
    const storedIn = (id: string) => values?.find(({ fieldId }) => fieldId === id)?.value ?? ''
    return Object.fromEntries(
      fields?.map(({ id, variable, type }) => [variable, shownAnswer(type, storedIn(id))]) ?? [],
    )
  }, [fields, values])
}

/**
 * Spread `inputProps` on the textarea, pass each key to `onKeyDown` first (true: used), show `<QuickReplyPopup {...popup} />` while `popup`
 * is not null.
 */
export const useQuickReplies = ({ text, active, name, contactId, onChoose }: Options) => {
  const listId = useId()
  const [used, setUsed] = useState(false)
  const [focused, setFocused] = useState(false)
  const [closed, setClosed] = useState(false)
  const [cursor, setCursor] = useState({ search: '', index: 0 })

  const [caret, setCaret] = useState(0)
  const trigger = quickReplyTrigger(text, caret)
  const search = trigger?.search ?? null
  if (search === null && closed) setClosed(false)

  const query = useQuery({ ...quickRepliesQuery, enabled: active && used })
  const replies = useMemo(() => query.data?.filter(({ isActive }) => isActive) ?? [], [query.data])
  const company = useCurrentUser()?.company.name ?? ''
  const ownFields = useOwnFields(contactId, active && used)
  const found = useMemo(() => {
    const firstName = firstNameOf(name)
    return findQuickReplies(replies, search ?? '').map((reply) => ({
      ...reply,
      content: filledText(reply.content, firstName, company, ownFields),
    }))
  }, [replies, search, name, company, ownFields])
  // Within a text, a slash without matches opens nothing.
  const isWanted = text.startsWith('/') || found.length > 0
  const open = active && focused && trigger !== null && isWanted && !closed
  const index = cursor.search === search ? Math.min(cursor.index, Math.max(found.length - 1, 0)) : 0
  const chosen = found[index]
  const optionId = (at: number) => `${listId}-${at}`

  const choose = (content: string) => {
    setClosed(true)
    if (trigger) onChoose(trigger.from, trigger.to, content)
  }
  const moveTo = (to: number) => setCursor({ search: search ?? '', index: to })

  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!open || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false
    if (event.key === 'Escape') setClosed(true)
    else if (event.key === 'ArrowDown') moveTo(index + 1 < found.length ? index + 1 : 0)
    else if (event.key === 'ArrowUp') moveTo(index > 0 ? index - 1 : Math.max(found.length - 1, 0))
    // Without a match nothing happens: a mistyped shortcut must not be sent.
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
          search: trigger.search,
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
    // ARIA has no multiline combobox: a textbox may have only these attributes.
    inputProps: {
      onFocus: () => {
        setUsed(true)
        setFocused(true)
      },
      onBlur: () => setFocused(false),
      onInput: ({ currentTarget }: FormEvent<HTMLTextAreaElement>) => setCaret(currentTarget.selectionStart),
      onSelect: ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => setCaret(currentTarget.selectionStart),
      'aria-autocomplete': 'list' as const,
      'aria-controls': open ? listId : undefined,
      'aria-activedescendant': open && chosen ? optionId(index) : undefined,
    },
  }
}

export type QuickReplyPopupState = NonNullable<ReturnType<typeof useQuickReplies>['popup']>

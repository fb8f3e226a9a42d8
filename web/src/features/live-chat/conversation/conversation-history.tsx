import type { Contact, Message } from '@prosa/contracts/http/live-chat'
import { useQueryClient } from '@tanstack/react-query'
import { useAtomValue, useSetAtom } from 'jotai'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { notePosition, sentenceOf } from '../../../lib/http/http.ts'
import { readAgain } from '../../../lib/realtime/merged-readings.ts'
import { useSocketEvent, useSocketStatus } from '../../../lib/realtime/socket.tsx'
import { useToast } from '../../../lib/toast.ts'
import { keys, markSeen, retryMedia } from '../api.ts'
import { audioPlayerAtom, messageCursorAtom, ownChangesAtom, quotingAtom } from '../atoms.ts'
import { contactName } from '../contact-name.ts'
import { shownMessages } from '../conversation-state.ts'
import type { History as LoadedHistory } from '../history-page.ts'
import { useOutbox } from '../outbox/use-outbox.ts'
import { useWindowVisible } from '../use-window-visible.ts'
import type { BubbleActions } from './bubble/bubble-actions.ts'
import { useMessageChanges } from './corrections/use-message-changes.tsx'
import { History } from './history.tsx'
import { useMessageOverlays } from './use-message-overlays.tsx'
import { useOutgoingMessages } from './use-outgoing-messages.ts'
import { useReactions } from './use-reactions.ts'
import { useReading } from './use-reading.ts'

const repeatMs = 5_000

/** Only while the latest messages are in a visible window and some are unread. */
const useSeen = ({ id, unreadCount, lastActivity }: Contact, reachesLatest: boolean): void => {
  const client = useQueryClient()
  const visible = useWindowVisible()
  const online = useSocketStatus() === 'online'
  const [failures, setFailures] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: what arrives right after being seen may leave the count as it was, and what failed is tried again
  useEffect(() => {
    if (!visible || !reachesLatest || unreadCount === 0) return
    let repeat: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const showSeen = () => {
      client.setQueryData<Contact>(
        keys.contact(id),
        (contact) => contact && { ...contact, unreadCount: 0, firstUnreadId: null },
      )
      readAgain(client, keys.lists)
    }
    // On failure it stays unread, which is true.
    void markSeen(id).then(showSeen, () => {
      if (!isOver) repeat = setTimeout(() => setFailures((count) => count + 1), repeatMs)
    })
    return () => {
      isOver = true
      clearTimeout(repeat)
    }
  }, [client, id, visible, reachesLatest, unreadCount, lastActivity, failures, online])
}

/** Returns the action that has a file fetched again. */
const useMediaUpdates = (messages: readonly Message[], renew: (messageId: string) => Promise<void>) => {
  const toast = useToast()
  useSocketEvent('whatsapp:media_update', ({ mediaId, position }) => {
    notePosition(position)
    const changed = messages.find(({ media }) => media?.id === mediaId)
    // Otherwise the next poll reads it.
    if (changed) void renew(changed.id).catch(() => undefined)
  })
  return useCallback(
    async (message: Message) => {
      if (!message.media) return
      try {
        await retryMedia(message.media.id)
        await renew(message.id)
      } catch {
        toast({ kind: 'error', title: 'O arquivo não pôde ser buscado', description: 'Tente de novo em instantes.' })
      }
    },
    [renew, toast],
  )
}

interface Options {
  reachesLatest: boolean
  outgoingCount: number
  loadLatest: () => Promise<void>
}

const useLatestMessages = ({ reachesLatest, outgoingCount, loadLatest }: Options) => {
  const toast = useToast()
  const toLatest = useCallback(
    () =>
      loadLatest().then(
        () => true,
        (error: unknown) => {
          toast({
            kind: 'error',
            title: 'As mensagens recentes não puderam ser lidas',
            description: sentenceOf(error, 'Tente de novo em instantes.'),
          })
          return false
        },
      ),
    [loadLatest, toast],
  )
  // Writing while older messages are in view goes to the latest.
  const countBefore = useRef(outgoingCount)
  useEffect(() => {
    if (outgoingCount > countBefore.current && !reachesLatest) void toLatest()
    countBefore.current = outgoingCount
  }, [outgoingCount, reachesLatest, toLatest])
  return toLatest
}

interface Props {
  contact: Contact
  isFresh: boolean
  loaded: LoadedHistory
  messageId: string | null
  jump: number
  onFocusComposer: () => void
}

/** Mounted once contact and history are loaded. */
export const ConversationHistory = ({ contact, isFresh, loaded, messageId, jump, onFocusComposer }: Props) => {
  const name = contactName(contact)
  const { retry, discard } = useOutbox()
  const read = useReading({ contact, isFresh, loaded, messageId, jump })
  const { reading, reachesLatest, renew, goTo } = read
  const onReact = useReactions(contact.id, renew)
  const ownChanges = useAtomValue(ownChangesAtom)
  const { changes, opened } = useMessageChanges({
    contactId: contact.id,
    contactName: name,
    messages: loaded.messages,
    renew,
    onFocusComposer,
  })
  const setQuoting = useSetAtom(quotingAtom)
  const setCursor = useSetAtom(messageCursorAtom)
  const player = useAtomValue(audioPlayerAtom)
  const { opening, overlays } = useMessageOverlays()
  const { mine, onlyHere } = useOutgoingMessages(contact.id, loaded)

  useEffect(() => () => player.stop(), [player])
  useSeen(contact, read.looksAtLatest)

  const messages = useMemo(() => shownMessages(loaded, mine, ownChanges), [loaded, mine, ownChanges])
  const toLatest = useLatestMessages({ reachesLatest, outgoingCount: mine.length, loadLatest: read.loadLatest })
  const onRetryMedia = useMediaUpdates(loaded.messages, renew)

  const toComposer = useCallback(() => {
    setCursor(null)
    onFocusComposer()
  }, [onFocusComposer, setCursor])
  const actions = useMemo<BubbleActions>(
    () => ({
      ...changes,
      ...opening,
      onRetry: retry,
      onDiscard: ({ id }) => discard(id),
      onReply: (message) => {
        setQuoting((all) => ({ ...all, [message.contactId]: message }))
        toComposer()
      },
      onReact: (message, emoji) => void onReact(message, emoji),
      onJump: (id) => void goTo(id),
      onRetryMedia: (message) => void onRetryMedia(message),
    }),
    [changes, opening, retry, discard, setQuoting, toComposer, onReact, goTo, onRetryMedia],
  )
  const historyKeys = useMemo(() => ({ onBelow: toComposer }), [toComposer])

  return (
    <>
      <History
        messages={messages}
        contactName={name}
        firstUnreadId={reading.lineId}
        onMissed={read.onMissed}
        reachesFirst={loaded.older === null}
        reachesLatest={reachesLatest}
        loading={reading.loading}
        failed={reading.failed}
        missedElsewhere={contact.unreadCount}
        target={reading.target}
        onlyHere={onlyHere}
        actions={actions}
        historyKeys={historyKeys}
        onNearTop={read.loadOlder}
        onNearBottom={read.loadNewer}
        onView={read.onView}
        onLatest={toLatest}
      />
      {overlays({ messages, contactName: name, actions })}
      {opened(actions)}
    </>
  )
}

import type { Contact, Message } from '@prosa/contracts/http/live-chat'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { lazyPart } from '../../components/lazy-part.tsx'
import { ApiProblem, rememberPosition, sentenceOf } from '../../lib/http.ts'
import { useSocketEvent } from '../../lib/socket.tsx'
import { useToast } from '../../lib/toast.tsx'
import { retryMedia } from './api.ts'
import { audioPlayerAtom, messageCursorAtom, outgoingAtom, quotingAtom } from './atoms.ts'
import { type BubbleActions, ownReaction } from './bubble/bubble-actions.ts'
import { contactName } from './contact-name.ts'
import { withCorrecting } from './corrections/changeable.ts'
import { useMessageChanges } from './corrections/use-message-changes.tsx'
import { History } from './history.tsx'
import type { History as LoadedHistory } from './history-page.ts'
import { bubbleId } from './message-bubble.tsx'
import { stillOutgoing, withOutgoing } from './outgoing.ts'
import type { Target } from './use-history-place.ts'
import { useLoadedHistory } from './use-loaded-history.ts'
import { useOutbox } from './use-outbox.ts'
import { useReactions, withReacting } from './use-reactions.ts'
import { useSeen } from './use-seen.ts'
import { useUnreadLine } from './use-unread-line.ts'
import { useUploads } from './use-uploads.ts'
import { useWindowVisible } from './use-window-visible.ts'

const PictureViewer = lazyPart(async () => (await import('./bubble/picture-viewer.tsx')).PictureViewer)
const MessageSheet = lazyPart(async () => (await import('./bubble/message-sheet.tsx')).MessageSheet)
const ReactionMenu = lazyPart(async () => (await import('./bubble/reaction-menu.tsx')).ReactionMenu)

/** Forgets what is on its way once the history shows it, and the files that only this page had. */
const useForgetStored = (loaded: LoadedHistory) => {
  const [outgoing, setOutgoing] = useAtom(outgoingAtom)
  const uploads = useUploads()
  useEffect(() => {
    const remaining = stillOutgoing(outgoing, loaded)
    if (remaining === outgoing) return
    const kept = new Set(remaining.map(({ id }) => id))
    setOutgoing((all) => stillOutgoing(all, loaded))
    uploads.release(outgoing.map(({ id }) => id).filter((id) => !kept.has(id)))
  }, [loaded, outgoing, setOutgoing, uploads])
  return outgoing
}

/** Where to go in the conversation, and the way to say so. */
const useTarget = (loaded: LoadedHistory, load: (messageId: string) => Promise<void>) => {
  const toast = useToast()
  const [target, setTarget] = useState<Target | null>(null)
  const latest = useRef(loaded)
  latest.current = loaded
  const goTo = useCallback(
    async (messageId: string) => {
      try {
        if (!latest.current.messages.some(({ id }) => id === messageId)) await load(messageId)
        setTarget((before) => ({ messageId, number: (before?.number ?? 0) + 1 }))
        return true
      } catch (error) {
        const gone = error instanceof ApiProblem && error.status === 404
        toast({
          kind: 'info',
          title: gone ? 'Esta mensagem não está mais aqui' : 'A mensagem não pôde ser aberta',
          description: gone ? 'Ela é anterior ao que o Prosa guardou.' : 'Tente de novo em instantes.',
        })
        return false
      }
    },
    [load, toast],
  )
  return { target, goTo }
}

interface Props {
  contact: Contact
  /** The contact was read since the conversation was opened. */
  isFresh: boolean
  loaded: LoadedHistory
  /** The message to open at, or null. */
  messageId: string | null
  /** Anew with each time that the message is asked for. */
  jump: number
  onFocusComposer: () => void
}

/** The history of the contact with what is on its way; mounted once both contact and history are known. */
export const ConversationHistory = ({ contact, isFresh, loaded, messageId, jump, onFocusComposer }: Props) => {
  const toast = useToast()
  const { retry, discard } = useOutbox()
  const { loading, failed, loadOlder, loadNewer, loadAround, loadLatest, renew } = useLoadedHistory(contact.id, loaded)
  const { target, goTo } = useTarget(loaded, loadAround)
  const { reacting, onReact } = useReactions(contact.id, renew)
  const { correcting, changes, opened } = useMessageChanges({
    contactId: contact.id,
    contactName: contactName(contact),
    messages: loaded.messages,
    renew,
    onFocusComposer,
  })
  const setQuoting = useSetAtom(quotingAtom)
  const setCursor = useSetAtom(messageCursorAtom)
  const player = useAtomValue(audioPlayerAtom)
  const [openPicture, setOpenPicture] = useState<Message | null>(null)
  const [choosing, setChoosing] = useState<Message | null>(null)
  const [acting, setActing] = useState<Message | null>(null)
  const outgoing = useForgetStored(loaded)
  const reachesLatest = loaded.newerCursor === null

  useEffect(() => () => player.stop(), [player])
  const [arrivedAt, setArrivedAt] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: who asks for the message again wants to see it again
  useEffect(() => {
    const go = async () => {
      if (messageId !== null && !(await goTo(messageId))) setArrivedAt(messageId)
    }
    void go()
  }, [messageId, jump, goTo])
  useEffect(() => {
    if (loaded.messages.some(({ id }) => id === messageId)) setArrivedAt(messageId)
  }, [loaded.messages, messageId])
  // It opens where the unread messages begin, also when they fill more than a page.
  const [beginsAbove, setBeginsAbove] = useState(() =>
    messageId === null &&
    contact.firstUnreadId !== null &&
    !loaded.messages.some(({ id }) => id === contact.firstUnreadId) &&
    loaded.olderCursor !== null
      ? contact.firstUnreadId
      : null,
  )
  useEffect(() => {
    const go = async () => {
      if (beginsAbove !== null && !(await goTo(beginsAbove))) setBeginsAbove(null)
    }
    void go()
  }, [beginsAbove, goTo])
  useEffect(() => {
    if (loaded.messages.some(({ id }) => id === beginsAbove)) setBeginsAbove(null)
  }, [loaded.messages, beginsAbove])
  // Who is on the way to an old message has not looked at the latest ones.
  const isOnTheWay = beginsAbove !== null || (messageId !== null && arrivedAt !== messageId)
  const looksAtLatest = reachesLatest && !isOnTheWay
  const isVisible = useWindowVisible()
  const { lineId, onMissed } = useUnreadLine(contact.firstUnreadId, isFresh && isVisible && looksAtLatest)
  useSeen(contact, looksAtLatest)

  const mine = useMemo(() => outgoing.filter(({ contactId }) => contactId === contact.id), [outgoing, contact.id])
  const messages = useMemo(
    () =>
      withCorrecting(
        withReacting(reachesLatest ? withOutgoing(loaded.messages, mine) : loaded.messages, reacting),
        correcting,
      ),
    [loaded.messages, mine, reachesLatest, reacting, correcting],
  )
  const onlyHere = useMemo(() => {
    const stored = new Set(loaded.messages.map(({ id }) => id))
    return new Set(mine.map(({ id }) => id).filter((id) => !stored.has(id)))
  }, [loaded.messages, mine])

  const toLatest = useCallback(
    () =>
      loadLatest().catch((error: unknown) =>
        toast({
          kind: 'error',
          title: 'As mensagens recentes não puderam ser lidas',
          description: sentenceOf(error, 'Tente de novo em instantes.'),
        }),
      ),
    [loadLatest, toast],
  )
  // Who writes while older messages are in view wants to see what was written.
  const written = mine.length
  const writtenBefore = useRef(written)
  useEffect(() => {
    if (written > writtenBefore.current && !reachesLatest) void toLatest()
    writtenBefore.current = written
  }, [written, reachesLatest, toLatest])

  useSocketEvent('whatsapp:media_update', ({ mediaId, position }) => {
    rememberPosition(position)
    const changed = loaded.messages.find(({ media }) => media?.id === mediaId)
    // A poll reads it otherwise.
    if (changed) void renew(changed.id).catch(() => undefined)
  })

  const onRetryMedia = useCallback(
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

  const actions = useMemo<BubbleActions>(
    () => ({
      ...changes,
      onRetry: retry,
      onDiscard: ({ id }) => discard(id),
      onReply: (message) => {
        setQuoting((all) => ({ ...all, [message.contactId]: message }))
        setCursor(null)
        onFocusComposer()
      },
      onReact: (message, emoji) => void onReact(message, emoji),
      onChooseReaction: setChoosing,
      onOpenActions: setActing,
      onJump: (id) => void goTo(id),
      onOpenPicture: setOpenPicture,
      onRetryMedia: (message) => void onRetryMedia(message),
    }),
    [changes, retry, discard, setQuoting, setCursor, onFocusComposer, onReact, goTo, onRetryMedia],
  )
  const historyKeys = useMemo(
    () => ({
      onBelow: () => {
        setCursor(null)
        onFocusComposer()
      },
    }),
    [onFocusComposer, setCursor],
  )

  const anchor = choosing && document.getElementById(bubbleId(choosing.id))
  return (
    <>
      <History
        messages={messages}
        contactName={contactName(contact)}
        firstUnreadId={lineId}
        onMissed={onMissed}
        reachesLatest={reachesLatest}
        loading={loading}
        failed={failed}
        missedElsewhere={contact.unreadCount}
        target={target}
        onlyHere={onlyHere}
        actions={actions}
        historyKeys={historyKeys}
        onNearTop={loadOlder}
        onNearBottom={loadNewer}
        onLatest={() => void toLatest()}
      />
      {openPicture && (
        <PictureViewer
          messages={messages}
          contactName={contactName(contact)}
          openId={openPicture.id}
          onClose={() => setOpenPicture(null)}
        />
      )}
      {acting && <MessageSheet message={acting} actions={actions} onClose={() => setActing(null)} />}
      {opened(actions)}
      {choosing && anchor && (
        <ReactionMenu
          anchor={anchor}
          current={ownReaction(choosing)}
          onClose={() => setChoosing(null)}
          onChoose={(emoji) => {
            setChoosing(null)
            actions.onReact(choosing, emoji)
          }}
        />
      )}
    </>
  )
}

import type { Contact } from '@prosa/contracts/http/live-chat'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useMemo } from 'react'
import { audioPlayerAtom, messageCursorAtom, quotingAtom } from '../atoms.ts'
import { contactName } from '../contact-name.ts'
import type { History as LoadedHistory } from '../history-page.ts'
import { withOutgoing } from '../outbox/outgoing.ts'
import { useOutbox } from '../outbox/use-outbox.ts'
import { useWindowVisible } from '../use-window-visible.ts'
import type { BubbleActions } from './bubble/bubble-actions.ts'
import { withCorrecting } from './corrections/changeable.ts'
import { useMessageChanges } from './corrections/use-message-changes.tsx'
import { History } from './history.tsx'
import { useLatestMessages } from './use-latest-messages.ts'
import { useLoadedHistory } from './use-loaded-history.ts'
import { useMediaUpdates } from './use-media-updates.ts'
import { useMessageOverlays } from './use-message-overlays.tsx'
import { useOpeningMessage } from './use-opening-message.ts'
import { useOutgoingMessages } from './use-outgoing-messages.ts'
import { useReactions, withReacting } from './use-reactions.ts'
import { useSeen } from './use-seen.ts'
import { useTarget } from './use-target.ts'
import { useUnreadLine } from './use-unread-line.ts'

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
  const { loading, failed, loadOlder, loadNewer, loadAround, loadLatest, renew } = useLoadedHistory(contact.id, loaded)
  const { target, goTo } = useTarget(loaded, loadAround)
  const { reacting, onReact } = useReactions(contact.id, renew)
  const { correcting, changes, opened } = useMessageChanges({
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
  const reachesLatest = loaded.newerCursor === null

  useEffect(() => () => player.stop(), [player])
  const isOnTheWay = useOpeningMessage({ contact, loaded, messageId, jump, goTo })
  // A jump to an old message has not seen the latest ones.
  const looksAtLatest = reachesLatest && !isOnTheWay
  const isVisible = useWindowVisible()
  const { lineId, onMissed } = useUnreadLine(contact.firstUnreadId, isFresh && isVisible && looksAtLatest)
  useSeen(contact, looksAtLatest)

  const messages = useMemo(
    () =>
      withCorrecting(
        withReacting(reachesLatest ? withOutgoing(loaded.messages, mine) : loaded.messages, reacting),
        correcting,
      ),
    [loaded.messages, mine, reachesLatest, reacting, correcting],
  )
  const toLatest = useLatestMessages({ reachesLatest, outgoingCount: mine.length, loadLatest })
  const onRetryMedia = useMediaUpdates(loaded.messages, renew)

  const actions = useMemo<BubbleActions>(
    () => ({
      ...changes,
      ...opening,
      onRetry: retry,
      onDiscard: ({ id }) => discard(id),
      onReply: (message) => {
        setQuoting((all) => ({ ...all, [message.contactId]: message }))
        setCursor(null)
        onFocusComposer()
      },
      onReact: (message, emoji) => void onReact(message, emoji),
      onJump: (id) => void goTo(id),
      onRetryMedia: (message) => void onRetryMedia(message),
    }),
    [changes, opening, retry, discard, setQuoting, setCursor, onFocusComposer, onReact, goTo, onRetryMedia],
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

  return (
    <>
      <History
        messages={messages}
        contactName={name}
        firstUnreadId={lineId}
        onMissed={onMissed}
        reachesFirst={loaded.olderCursor === null}
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
      {overlays({ messages, contactName: name, actions })}
      {opened(actions)}
    </>
  )
}

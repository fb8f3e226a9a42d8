import type { Message } from '@prosa/contracts/http/live-chat'
import { type ReactNode, useMemo, useState } from 'react'
import { lazyPart } from '../../../components/layout/lazy-part.tsx'
import { type BubbleActions, ownReaction } from './bubble/bubble-actions.ts'
import { bubbleId } from './message-bubble.tsx'

const PictureViewer = lazyPart(async () => (await import('./bubble/picture-viewer.tsx')).PictureViewer)
const MessageSheet = lazyPart(async () => (await import('./bubble/message-sheet.tsx')).MessageSheet)
const ReactionMenu = lazyPart(async () => (await import('./bubble/reaction-menu.tsx')).ReactionMenu)

interface Shown {
  messages: Message[]
  contactName: string
  actions: BubbleActions
}

export const useMessageOverlays = () => {
  const [openPicture, setOpenPicture] = useState<Message | null>(null)
  const [choosing, setChoosing] = useState<Message | null>(null)
  const [acting, setActing] = useState<Message | null>(null)
  const opening = useMemo<Pick<BubbleActions, 'onChooseReaction' | 'onOpenActions' | 'onOpenPicture'>>(
    () => ({ onChooseReaction: setChoosing, onOpenActions: setActing, onOpenPicture: setOpenPicture }),
    [],
  )

  const overlays = ({ messages, contactName, actions }: Shown): ReactNode => {
    const anchor = choosing && document.getElementById(bubbleId(choosing.id))
    return (
      <>
        {openPicture && (
          <PictureViewer
            messages={messages}
            contactName={contactName}
            openId={openPicture.id}
            onClose={() => setOpenPicture(null)}
          />
        )}
        {acting && <MessageSheet message={acting} actions={actions} onClose={() => setActing(null)} />}
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
  return { opening, overlays }
}

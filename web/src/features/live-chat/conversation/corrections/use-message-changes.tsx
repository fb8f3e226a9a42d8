import type { Message } from '@prosa/contracts/http/live-chat'
import { useSetAtom } from 'jotai'
import { type ReactNode, useMemo, useState } from 'react'
import { lazyPart } from '../../../../components/layout/lazy-part.tsx'
import { copyText } from '../../../../lib/browser/copy-text.ts'
import { useSocketEvent } from '../../../../lib/realtime/socket.tsx'
import { useToast } from '../../../../lib/toast.ts'
import { editingAtom } from '../../atoms.ts'
import type { BubbleActions } from '../bubble/bubble-actions.ts'
import { bubbleId } from '../message-bubble.tsx'
import { canBeDeleted, canBeEdited, hasOwnWords, wantedWords } from './changeable.ts'
import { useCorrections } from './use-corrections.ts'

const WhyPopover = lazyPart(async () => (await import('../../../../components/why/why-popover.tsx')).WhyPopover)
const MessageMenu = lazyPart(async () => (await import('./correction-parts.tsx')).MessageMenu)
const DeleteMessageDialog = lazyPart(async () => (await import('./correction-parts.tsx')).DeleteMessageDialog)

interface Options {
  contactId: string
  contactName: string
  messages: readonly Message[]
  renew: (messageId: string) => Promise<void>
  onFocusComposer: () => void
}

const moreButtonOf = ({ id }: Message) =>
  document.getElementById(bubbleId(id))?.querySelector<HTMLElement>('.message-more') ?? null

type Changes = Pick<BubbleActions, 'onMore' | 'onEdit' | 'onCopy' | 'onDelete'>

export const useMessageChanges = ({ contactId, contactName, messages, renew, onFocusComposer }: Options) => {
  const toast = useToast()
  const { remove } = useCorrections(contactId, renew)
  const setEditing = useSetAtom(editingAtom)
  const [menuOf, setMenuOf] = useState<Message | null>(null)
  const [askingWhy, setAskingWhy] = useState<Message | null>(null)
  const [deleting, setDeleting] = useState<Message | null>(null)

  // Only the latest page is refetched by itself.
  useSocketEvent('whatsapp:new_message', () => {
    for (const { id, correction } of messages) if (correction?.failure === null) void renew(id).catch(() => undefined)
  })

  const changes = useMemo<Changes>(
    () => ({
      onMore: setMenuOf,
      onEdit: (message) => {
        if (!canBeEdited(message)) {
          if (hasOwnWords(message))
            toast({ kind: 'info', title: 'O WhatsApp só deixa editar até 15 minutos depois do envio' })
          return
        }
        setEditing((all) => ({ ...all, [contactId]: { message, text: wantedWords(message) } }))
        onFocusComposer()
      },
      onCopy: ({ content }) =>
        void copyText(content).then(
          () => toast({ kind: 'success', title: 'Mensagem copiada' }),
          () => toast({ kind: 'error', title: 'O navegador não deixou copiar a mensagem' }),
        ),
      onDelete: (message) => {
        if (canBeDeleted(message)) return setDeleting(message)
        if (message.sender === 'user' && message.kind !== 'deleted')
          toast({ kind: 'info', title: 'O WhatsApp só deixa apagar para todos até 2 dias depois do envio' })
      },
    }),
    [contactId, onFocusComposer, setEditing, toast],
  )

  const opened = (actions: BubbleActions): ReactNode => {
    const anchor = menuOf && moreButtonOf(menuOf)
    const whyAnchor = askingWhy && moreButtonOf(askingWhy)
    return (
      <>
        {menuOf && anchor && (
          <MessageMenu
            anchor={anchor}
            message={menuOf}
            actions={actions}
            onWhy={(message) => {
              // Where the focus returns to.
              moreButtonOf(message)?.focus()
              setAskingWhy(message)
            }}
            onClose={() => setMenuOf(null)}
          />
        )}
        {askingWhy && whyAnchor && (
          <WhyPopover
            of={{ kind: 'contact', id: askingWhy.contactId, field: 'tick', part: askingWhy.id }}
            asAdmin={false}
            anchor={whyAnchor}
            onClose={() => setAskingWhy(null)}
          />
        )}
        {deleting && (
          <DeleteMessageDialog
            contactName={contactName}
            onClose={() => setDeleting(null)}
            onConfirm={() => {
              setDeleting(null)
              void remove(deleting)
            }}
          />
        )}
      </>
    )
  }
  return { changes, opened }
}

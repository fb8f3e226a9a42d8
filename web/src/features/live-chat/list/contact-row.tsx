import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useAtom, useAtomValue } from 'jotai'
import { memo } from 'react'
import { PersonAvatar } from '../../../components/person-avatar.tsx'
import { plural, relativeTime, waitedTime } from '../../../lib/format/format.ts'
import { chosenAtom, hasSeveralNumbersAtom, unsentAtom } from '../atoms.ts'
import { useDraftText } from '../composer/use-draft.ts'
import { contactName } from '../contact-name.ts'
import { LabelChips } from '../labels/lazy-label-chips.ts'
import { RowChoice } from '../labels/lazy-row-choice.tsx'
import { toggled } from '../labels/toggled.ts'
import { LineChip } from '../line/lazy-line-parts.tsx'
import { MessageTick } from '../message-tick.tsx'
import { AskedChip, BotChip, RobotChip } from '../state-chips.tsx'
import { StatusBadge } from '../status-badge.tsx'
import { waitsSince, waitsTooLong } from './contact-lists.ts'

export const contactRowId = (contactId: string): string => `contact-${contactId}`

interface LastMessageProps {
  contact: Contact
  draft: string
  unsent: string | undefined
}

const authorOf = ({ sender, isFlow }: NonNullable<Contact['lastMessage']>): string =>
  sender === 'contact' ? '' : isFlow ? 'Fluxo: ' : 'Você: '

const LastMessage = ({ contact, draft, unsent }: LastMessageProps) => {
  const { lastMessage } = contact
  const failed = unsent ?? (lastMessage?.status === 'failed' ? lastMessage.content : undefined)
  if (failed !== undefined) {
    return (
      <>
        <Box component="span" sx={{ color: 'danger', fontWeight: 500, flexShrink: 0 }}>
          Não enviada:
        </Box>
        <Typography noWrap component="span">
          {failed}
        </Typography>
      </>
    )
  }
  if (draft) {
    return (
      <>
        <Box component="span" sx={{ color: 'primary.main', fontWeight: 500, flexShrink: 0 }}>
          Rascunho:
        </Box>
        <Typography noWrap component="span">
          {draft}
        </Typography>
      </>
    )
  }
  if (!lastMessage)
    return (
      <Typography noWrap component="span">
        Nenhuma mensagem ainda
      </Typography>
    )
  return (
    <>
      {lastMessage.sender === 'user' && lastMessage.status && (
        <MessageTick status={lastMessage.status} connectionId={contact.connectionId} />
      )}
      <Typography noWrap component="span">
        {`${authorOf(lastMessage)}${lastMessage.content}`}
      </Typography>
    </>
  )
}

const Unread = ({ count }: { count: number }) => (
  <Box
    component="span"
    role="img"
    aria-label={plural(count, 'mensagem não lida', 'mensagens não lidas')}
    sx={{
      flexShrink: 0,
      minWidth: 20,
      px: 1.5,
      typography: 'caption',
      lineHeight: '20px',
      fontWeight: 600,
      textAlign: 'center',
      borderRadius: 'var(--radius-panel)',
      bgcolor: 'primary.main',
      color: 'primary.contrastText',
    }}
  >
    {count > 99 ? '99+' : count}
  </Box>
)

interface Props {
  contact: Contact
  now: number
  selected: boolean
  underCursor: boolean
  /** Redundant within a tab. */
  saysStatus?: boolean
  position: number
  /** Without what is unsent now. */
  isPast?: boolean
  onSelect: (contactId: string) => void
}

export const ContactRow = memo((props: Props) => {
  const { contact, now, selected, underCursor, saysStatus = false, position, isPast = false, onSelect } = props
  const draft = useDraftText(contact.id)
  const unsent = useAtomValue(unsentAtom).get(contact.id)
  const [chosen, choose] = useAtom(chosenAtom)
  const isChosen = chosen?.has(contact.id) ?? selected
  const urgent = waitsTooLong(contact, now)
  const line = useAtomValue(hasSeveralNumbersAtom) ? contact.connectionId : null
  const since = waitsSince(contact)
  const isWithBot = contact.botSince !== null && contact.serviceStatus !== 'attending'
  const chips = [line, contact.personAskedAt, contact.suspectedRobot, isWithBot].filter(Boolean).length
  return (
    <Box
      id={contactRowId(contact.id)}
      role="option"
      aria-selected={isChosen}
      aria-posinset={position}
      onClick={() => (chosen ? choose(toggled(chosen, contact.id)) : onSelect(contact.id))}
      sx={{
        height: 'var(--row-height)',
        display: 'flex',
        alignItems: 'center',
        gap: 3,
        px: 4,
        cursor: 'pointer',
        userSelect: 'none',
        bgcolor: isChosen ? 'primarySoft' : 'surface',
        boxShadow: underCursor ? 'inset 3px 0 0 var(--primary)' : undefined,
        borderBottom: '1px solid',
        borderColor: 'divider',
        transition: 'background-color var(--state)',
        '@media (hover: hover)': { '&:hover': { bgcolor: isChosen ? 'primarySoft' : 'background.default' } },
      }}
    >
      {chosen ? <RowChoice isChosen={isChosen} /> : <PersonAvatar name={contact.name} phone={contact.phone} />}
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 2 }}>
          <Typography noWrap component="span" variant="subtitle2" sx={{ flex: 1 }}>
            {contactName(contact)}
          </Typography>
          <Typography
            component="time"
            dateTime={since ?? contact.lastActivity}
            title={urgent ? 'Espera há mais de 5 minutos' : undefined}
            variant="caption"
            sx={{ flexShrink: 0, color: urgent ? 'accent' : 'text.secondary', fontWeight: urgent ? 600 : 400 }}
          >
            {since ? waitedTime(since, now) : relativeTime(contact.lastActivity, now)}
          </Typography>
        </Box>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
          <Box sx={{ flex: 1, minWidth: 0, display: 'flex', alignItems: 'center', gap: 1, color: 'text.secondary' }}>
            <LastMessage
              contact={contact}
              draft={selected || isPast ? '' : draft}
              unsent={isPast ? undefined : unsent}
            />
          </Box>
          {saysStatus && !isWithBot && <StatusBadge status={contact.serviceStatus} />}
          {contact.unreadCount > 0 && <Unread count={contact.unreadCount} />}
        </Box>
        {(chips > 0 || contact.labels.length > 0) && (
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
            {contact.personAskedAt && <AskedChip />}
            {line && <LineChip connectionId={line} />}
            {isWithBot && <BotChip />}
            {contact.suspectedRobot && <RobotChip />}
            {contact.labels.length > 0 && <LabelChips ids={contact.labels} max={chips > 0 ? 1 : 2} />}
          </Box>
        )}
      </Box>
    </Box>
  )
})

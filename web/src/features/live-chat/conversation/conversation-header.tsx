import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { Connection } from '@prosa/contracts/http/connections'
import type { Contact } from '@prosa/contracts/http/live-chat'
import type { Ref } from 'react'
import InfoOutlineRounded from '~icons/ic/outline-info'
import ArrowBackRounded from '~icons/ic/round-arrow-back'
import SearchRounded from '~icons/ic/round-search'
import { KeyHint } from '../../../components/key-hint.tsx'
import { PersonAvatar } from '../../../components/person-avatar.tsx'
import { notSeen } from '../../../components/screen-reader-text.tsx'
import { nameAndNumber } from '../../../lib/account/connections.ts'
import { phoneNumber } from '../../../lib/format/format.ts'
import { useSocketTrouble } from '../../../lib/realtime/socket-trouble.ts'
import { contactName } from '../contact-name.ts'
import { LabelChips } from '../labels/lazy-label-chips.ts'
import { AskedChip, BotChip, PausedChip, pausesBot, RobotChip } from '../state-chips.tsx'
import { StatusBadge } from '../status-badge.tsx'
import { useNow } from '../use-now.ts'
import type { Panel } from '../use-selection.ts'
import type { ConversationActions } from './use-conversation-actions.ts'

interface Props {
  contact: Contact
  actions: ConversationActions
  presence: string | null
  /** Null unless the account has several numbers. */
  line: Connection | null
  panel: Panel | null
  searchButtonRef: Ref<HTMLButtonElement>
  onBack: () => void
  onPanel: (panel: Panel) => void
  /** Null when nobody waits. */
  onNext: (() => void) | null
}

/** Container width: a side panel narrows the header too. */
const narrow = '@container (max-width: 639px)'
/** Too narrow for the search button, which the details also have. */
const narrowest = '@container (max-width: 419px)'

const reversed = {
  display: 'flex',
  flexDirection: 'row-reverse',
  justifyContent: 'flex-end',
  whiteSpace: 'pre',
  '& > :first-of-type': { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' },
} as const

interface StatusButtonProps {
  name: string
  /** With Ctrl and Shift. */
  letter: string
  isFirst?: boolean
  disabled: boolean
  onClick: () => void
}

const StatusButton = ({ name, letter, isFirst = false, disabled, onClick }: StatusButtonProps) => (
  <KeyHint title={name} keys={['Ctrl', 'Shift', letter]}>
    <span>
      <Button variant={isFirst ? 'contained' : 'outlined'} disabled={disabled} onClick={onClick}>
        {name}
      </Button>
    </span>
  </KeyHint>
)

const StatusAction = ({ contact, actions, onNext }: Pick<Props, 'contact' | 'actions' | 'onNext'>) => {
  if (contact.serviceStatus === 'waiting')
    return <StatusButton name="Aceitar" letter="A" isFirst disabled={actions.isPending} onClick={actions.accept} />
  if (contact.serviceStatus === 'attending')
    return <StatusButton name="Finalizar" letter="E" disabled={actions.isPending} onClick={actions.resolve} />
  return (
    <>
      {/* Narrow: only for screen readers. */}
      <Box component="span" sx={{ [narrow]: notSeen }}>
        <StatusBadge status="resolved" />
      </Box>
      <StatusButton name="Reabrir" letter="A" disabled={actions.isPending} onClick={actions.reopen} />
      {onNext && (
        <KeyHint title="Próxima conversa" keys={['Alt', '↓']}>
          <Button variant="contained" aria-label="Próxima conversa" onClick={onNext} sx={{ flexShrink: 0 }}>
            Próxima
            <Box component="span" sx={{ whiteSpace: 'pre', [narrow]: { display: 'none' } }}>
              {' conversa'}
            </Box>
          </Button>
        </KeyHint>
      )}
    </>
  )
}

/** On a phone this is the only header: it also shows connection trouble. */
const Trouble = () => {
  const trouble = useSocketTrouble()
  return (
    trouble && (
      <Box
        component="span"
        sx={{ display: { md: 'none' }, color: 'text.primary', '& + span': { display: { xs: 'none', md: 'inline' } } }}
      >
        {trouble.words}
      </Box>
    )
  )
}

const Who = ({ contact, presence, line }: Pick<Props, 'contact' | 'presence' | 'line'>) => {
  const number = contact.name && phoneNumber(contact.phone)
  const now = useNow(20_000)
  return (
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <Typography noWrap variant="subtitle1" component="h2">
        {contactName(contact)}
      </Typography>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 }}>
        {contact.personAskedAt && <AskedChip />}
        {contact.botSince && contact.serviceStatus !== 'attending' && <BotChip />}
        {pausesBot(contact, now) && <PausedChip />}
        {contact.suspectedRobot && <RobotChip />}
        <Typography
          noWrap
          variant="caption"
          component="p"
          sx={{ minWidth: 0, minHeight: '1lh', color: 'text.secondary' }}
        >
          <Trouble />
          {/* The number is truncated first. */}
          <Box component="span" sx={{ [narrowest]: reversed }}>
            <span>{number}</span>
            <span>{number && presence && ' · '}</span>
            <Box component="span" aria-live="polite" sx={{ color: 'primary.main', flexShrink: 0 }}>
              {presence}
            </Box>
          </Box>
        </Typography>
      </Box>
      {line && (
        <Typography noWrap variant="caption" component="p" sx={{ color: 'text.secondary' }} title={nameAndNumber(line)}>
          {`Por ${nameAndNumber(line)}`}
        </Typography>
      )}
    </Box>
  )
}

export const ConversationHeader = ({
  contact,
  actions,
  presence,
  line,
  panel,
  searchButtonRef,
  onBack,
  onPanel,
  onNext,
}: Props) => (
  <Box
    component="header"
    sx={{
      containerType: 'inline-size',
      flexShrink: 0,
      minHeight: 'var(--row-height)',
      display: 'flex',
      alignItems: 'center',
      gap: { xs: 2, md: 3 },
      pl: { xs: 1, md: 4 },
      pr: { xs: 3, md: 4 },
      bgcolor: 'surface',
      borderBottom: '1px solid',
      borderColor: 'divider',
    }}
  >
    <KeyHint title="Voltar" keys={['Esc']}>
      <IconButton
        aria-label="Voltar para as conversas"
        color="secondary"
        onClick={onBack}
        sx={{ display: { md: 'none' } }}
      >
        <ArrowBackRounded />
      </IconButton>
    </KeyHint>
    <Box sx={{ [narrowest]: { display: 'none' } }}>
      <PersonAvatar name={contact.name} phone={contact.phone} />
    </Box>
    <Who contact={contact} presence={presence} line={line} />
    {contact.labels.length > 0 && (
      <Box sx={{ [narrow]: { display: 'none' } }}>
        <LabelChips ids={contact.labels} max={2} />
      </Box>
    )}
    <StatusAction contact={contact} actions={actions} onNext={onNext} />
    <KeyHint title="Buscar na conversa" keys={['Ctrl', 'Shift', 'F']}>
      <IconButton
        ref={searchButtonRef}
        aria-label="Buscar na conversa"
        aria-expanded={panel === 'search'}
        color={panel === 'search' ? 'primary' : 'secondary'}
        onClick={() => onPanel('search')}
        sx={{ [narrowest]: { display: 'none' } }}
      >
        <SearchRounded />
      </IconButton>
    </KeyHint>
    <KeyHint title="Detalhes do contato" keys={['Ctrl', 'I']}>
      <IconButton
        aria-label="Detalhes do contato"
        aria-expanded={panel === 'details'}
        color={panel === 'details' ? 'primary' : 'secondary'}
        onClick={() => onPanel('details')}
      >
        <InfoOutlineRounded />
      </IconButton>
    </KeyHint>
  </Box>
)

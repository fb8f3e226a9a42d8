import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { KeyHint } from '../../components/key-hint.tsx'
import { PersonAvatar } from '../../components/person-avatar.tsx'
import { phoneNumber } from '../../lib/format.ts'
import { contactName } from './contact-name.ts'
import type { ConversationActions } from './use-conversation-actions.ts'

interface Props {
  contact: Contact
  actions: ConversationActions
  onBack: () => void
  /** Null when nobody waits. */
  onNext: (() => void) | null
}

const StatusAction = ({ contact, actions, onNext }: Omit<Props, 'onBack'>) => {
  if (contact.serviceStatus === 'waiting') {
    return (
      <KeyHint title="Aceitar" keys={['A']}>
        <span>
          <Button variant="contained" disabled={actions.isPending} onClick={actions.accept}>
            Aceitar
          </Button>
        </span>
      </KeyHint>
    )
  }
  if (contact.serviceStatus === 'attending') {
    return (
      <KeyHint title="Finalizar" keys={['E']}>
        <span>
          <Button variant="outlined" disabled={actions.isPending} onClick={actions.resolve}>
            Finalizar
          </Button>
        </span>
      </KeyHint>
    )
  }
  return (
    <>
      <Chip size="small" label="Resolvido" sx={{ bgcolor: 'sunken' }} />
      {onNext && (
        <KeyHint title="Próxima conversa" keys={['N']}>
          <Button variant="contained" onClick={onNext}>
            Próxima conversa
          </Button>
        </KeyHint>
      )}
    </>
  )
}

/** Who this is and the one thing to do next with the conversation. */
export const ConversationHeader = ({ contact, actions, onBack, onNext }: Props) => (
  <Box
    component="header"
    sx={{
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
    <PersonAvatar name={contact.name} phone={contact.phone} />
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <Typography noWrap variant="subtitle1" component="h2">
        {contactName(contact)}
      </Typography>
      {contact.name && (
        <Typography noWrap variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {phoneNumber(contact.phone)}
        </Typography>
      )}
    </Box>
    <StatusAction contact={contact} actions={actions} onNext={onNext} />
  </Box>
)

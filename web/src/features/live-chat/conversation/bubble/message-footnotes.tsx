import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { Message } from '@prosa/contracts/http/live-chat'
import { useSetAtom } from 'jotai'
import { Link } from 'react-router-dom'
import { paths } from '../../../../lib/paths.ts'
import { choosingLineAtom } from '../../atoms.ts'
import { asksForNumber, asksForPlan } from '../../outbox/send-failure.ts'
import { canBeDeleted, canBeEdited } from '../corrections/changeable.ts'
import type { BubbleActions } from './bubble-actions.ts'

interface FailureProps {
  message: Message
  /** Only this page has the message: it can be discarded. */
  onlyHere: boolean
  actions: BubbleActions
}

const note = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'flex-end',
  gap: 1,
  maxWidth: 'min(85%, var(--bubble-width))',
} as const

export const Failure = ({ message, onlyHere, actions }: FailureProps) => {
  const chooseLine = useSetAtom(choosingLineAtom)
  return (
    <Box role="alert" sx={note}>
      <Typography variant="caption" sx={{ color: 'danger', textAlign: 'end', textWrap: 'pretty' }}>
        {message.failure ?? 'Erro ao enviar mensagem. Tente novamente.'}
      </Typography>
      {asksForPlan(message.failure) && (
        <Button size="small" component={Link} to={paths.billing}>
          Escolher um plano
        </Button>
      )}
      {asksForNumber(message.failure) && (
        <Button size="small" onClick={() => chooseLine(message.contactId)}>
          Escolher número
        </Button>
      )}
      {onlyHere && (
        <Button size="small" color="inherit" onClick={() => actions.onDiscard(message)}>
          Descartar
        </Button>
      )}
      <Button size="small" color="error" onClick={() => actions.onRetry(message)}>
        Tentar de novo
      </Button>
    </Box>
  )
}

export const CorrectionFailure = ({ message, actions }: Omit<FailureProps, 'onlyHere'>) => {
  const isEdit = message.correction?.kind === 'edit'
  const canAgain = isEdit ? canBeEdited(message) : canBeDeleted(message)
  return (
    <Box role="alert" sx={note}>
      <Typography variant="caption" sx={{ color: 'danger', textAlign: 'end', textWrap: 'pretty' }}>
        {isEdit ? 'O contato ainda vê a mensagem sem a edição.' : 'O contato ainda vê a mensagem.'}{' '}
        {message.correction?.failure}
      </Typography>
      {canAgain && (
        <Button size="small" color="error" onClick={() => (isEdit ? actions.onEdit : actions.onDelete)(message)}>
          {isEdit ? 'Editar de novo' : 'Apagar de novo'}
        </Button>
      )}
    </Box>
  )
}

export const Original = ({ text }: { text: string }) => (
  <Box sx={{ mt: 1, pt: 1, borderTop: '1px solid', borderColor: 'divider', whiteSpace: 'pre-wrap' }}>
    <Typography variant="caption" component="p" sx={{ fontWeight: 600 }}>
      Antes da edição
    </Typography>
    {text.trim() || 'Sem texto'}
  </Box>
)

import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import type { ListedSupportRequest } from '@prosa/contracts/http/accounts/support'
import { supportPriorityNames } from '@prosa/contracts/values/support'
import { wholeTime } from '../../../lib/format/whole-time.ts'

const titleId = 'support-request-title'

const answerAddress = ({ subject, account }: ListedSupportRequest) =>
  account && `mailto:${account.email}?subject=${encodeURIComponent(`Re: ${subject}`)}`

interface Props {
  request: ListedSupportRequest
  isAnswering: boolean
  onAnswered: () => void
  onClose: () => void
}

export const SupportRequestDialog = ({ request, isAnswering, onAnswered, onClose }: Props) => {
  const { subject, message, priority, createdAt, answeredAt, account } = request
  const address = answerAddress(request)
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {subject}
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 4 }}>
        <Typography sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {account ? `${account.name}, ${account.email}. ` : ''}
          {`Prioridade ${supportPriorityNames[priority].toLowerCase()}, ${wholeTime(createdAt)}.`}
        </Typography>
        <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{message}</Typography>
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap' }}>
        <Button color="inherit" onClick={onClose}>
          Fechar
        </Button>
        {address && (
          <Button color="inherit" variant="outlined" href={address}>
            Responder por e-mail
          </Button>
        )}
        <Button variant="contained" disabled={isAnswering || answeredAt !== null} onClick={onAnswered}>
          {answeredAt === null ? 'Marcar como respondida' : 'Respondida'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import type { WhatsappSession } from '@prosa/contracts/http/connections'
import { useId } from 'react'
import CheckIcon from '~icons/ic/round-check-circle'
import { CloseActions } from '../../components/forms/close-actions.tsx'
import { QrFrame, QrImage } from '../../components/qr-frame.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { phoneNumber } from '../../lib/format/format.ts'
import { sentenceOf } from '../../lib/http/http.ts'
import { useRenewQrCode, useSessionQrCode } from './api.ts'

const notYet = 'QR Code não disponível ainda. Aguarde alguns segundos.'
const noneAnyMore = 'Não há QR Code válido agora. Gere um novo para conectar.'

const steps = [
  'Abra o WhatsApp no celular do seu negócio.',
  'Toque em Aparelhos conectados e depois em Conectar um aparelho.',
  'Aponte a câmera para este código.',
]

const Code = ({ session }: { session: WhatsappSession }) => {
  const code = useSessionQrCode(session.token, session.status !== 'active')
  const renew = useRenewQrCode()
  if (session.status === 'active')
    return (
      <QrFrame>
        <Box sx={{ color: 'primary.main', '& svg': { fontSize: 'var(--row-height)' } }}>
          <CheckIcon aria-hidden="true" />
        </Box>
        <Typography role="status" variant="subtitle1" component="p">
          Sessão conectada
        </Typography>
        <Typography sx={{ color: 'text.secondary' }}>{phoneNumber(session.phoneNumber)}</Typography>
      </QrFrame>
    )
  if (code.data) return <QrImage src={code.data} />
  if (code.isPending || renew.isPending)
    return (
      <QrFrame>
        <Spinner label="Carregando QR Code..." />
      </QrFrame>
    )
  return (
    <QrFrame>
      <Typography role="status">
        {session.status === 'inactive' ? noneAnyMore : code.error ? sentenceOf(code.error, notYet) : notYet}
      </Typography>
      {session.status === 'inactive' ? (
        <Button variant="contained" onClick={() => renew.mutate(session.token)}>
          Gerar novo QR Code
        </Button>
      ) : (
        <Spinner label="Aguarde um instante..." />
      )}
    </QrFrame>
  )
}

export const QrDialog = ({ session, onClose }: { session: WhatsappSession; onClose: () => void }) => {
  const titleId = useId()
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        QR Code de {session.name}
      </DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', gap: 4 }}>
        <Code session={session} />
        {session.status !== 'active' && (
          <Box component="ol" sx={{ m: 0, pl: 5, display: 'grid', gap: 1, color: 'text.secondary' }}>
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </Box>
        )}
      </DialogContent>
      <CloseActions onClose={onClose} />
    </Dialog>
  )
}

import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Typography from '@mui/material/Typography'
import type { Connection } from '@prosa/contracts/http/connections'
import { QrFrame, QrImage } from '../../../components/qr-frame.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { ConnectionStatusLine } from './connection-status.tsx'
import { connectionSentence, needsNewQrCode, showsQrCode } from './connection-words.ts'
import { RemainingTime } from './remaining-time.tsx'
import { SimulatorLink } from './simulator-link.tsx'
import { useRemainingSeconds } from './use-remaining-seconds.ts'

type Props = {
  name: string
  /** Null until the server answers. */
  connection: Connection | null
  refreshing: boolean
  disconnecting: boolean
  onRefresh: () => void
  onDisconnect: () => void
  onPairing: () => void
  onClose: () => void
}

const Code = ({ connection, expired }: Pick<Props, 'connection'> & { expired: boolean }) => {
  if (connection && expired)
    return (
      <QrFrame>
        <Typography>
          {connection.status === 'inactive' || showsQrCode(connection)
            ? 'O QR Code expirou antes de ser lido.'
            : connectionSentence(connection, Date.parse(connection.serverTime))}
        </Typography>
      </QrFrame>
    )
  if (connection?.qrCode && showsQrCode(connection)) return <QrImage src={connection.qrCode} />
  return (
    <QrFrame>
      <Spinner label={connection ? (connection.statusReason ?? 'Aguarde um instante...') : 'Gerando QR Code...'} />
    </QrFrame>
  )
}

export const QrStep = ({
  name,
  connection,
  refreshing,
  disconnecting,
  onRefresh,
  onDisconnect,
  onPairing,
  onClose,
}: Props) => {
  const remaining = useRemainingSeconds(connection?.qrDeadline ?? null, connection?.serverTime ?? '')
  const status = connection?.status ?? 'connecting'
  const expired = connection !== null && !refreshing && (needsNewQrCode(connection) || remaining === 0)
  return (
    <>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', gap: 4 }}>
        <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', gap: 1, minWidth: 0 }}>
          <Typography variant="subtitle1" component="p" sx={{ overflowWrap: 'anywhere', textAlign: 'center' }}>
            {name}
          </Typography>
          <ConnectionStatusLine status={status} />
        </Box>
        <Code connection={connection} expired={expired} />
        <RemainingTime seconds={expired ? 0 : remaining} />
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary', textAlign: 'center' }}>
          No celular, abra o WhatsApp, toque em <b>Aparelhos conectados</b>, depois em <b>Conectar um aparelho</b>, e
          aponte a câmera para este código.
        </Typography>
        {connection && !expired && (
          <Button size="small" onClick={onPairing}>
            Conectar com código
          </Button>
        )}
        {connection?.network !== 'whatsapp' && <SimulatorLink />}
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          Fechar
        </Button>
        {status === 'connected' && (
          <Button color="error" disabled={disconnecting} onClick={onDisconnect}>
            Desconectar
          </Button>
        )}
        <Button variant={expired ? 'contained' : 'outlined'} disabled={!connection || refreshing} onClick={onRefresh}>
          Atualizar
        </Button>
      </DialogActions>
    </>
  )
}

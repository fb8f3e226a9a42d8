import DialogContent from '@mui/material/DialogContent'
import Typography from '@mui/material/Typography'
import type { Connection } from '@prosa/contracts/http/connections'
import { CloseActions } from '../../../components/close-actions.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { ConnectionStatusLine } from './connection-status.tsx'

type Props = { connection: Connection; onClose: () => void }

/** Between steps two and three: the phone is done, the line is connecting. */
export const OpeningStep = ({ connection, onClose }: Props) => (
  <>
    <DialogContent sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', gap: 1 }}>
      <Typography variant="subtitle1" component="p" sx={{ overflowWrap: 'anywhere', textAlign: 'center' }}>
        {connection.name}
      </Typography>
      <ConnectionStatusLine status={connection.status} />
      <Spinner label="Aguarde um instante..." />
    </DialogContent>
    <CloseActions onClose={onClose} />
  </>
)

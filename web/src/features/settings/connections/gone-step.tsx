import DialogContent from '@mui/material/DialogContent'
import Typography from '@mui/material/Typography'
import { CloseActions } from '../../../components/close-actions.tsx'

/** The connection was deleted elsewhere. */
export const GoneStep = ({ onClose }: { onClose: () => void }) => (
  <>
    <DialogContent>
      <Typography role="status">Esta conexão foi excluída.</Typography>
    </DialogContent>
    <CloseActions onClose={onClose} />
  </>
)

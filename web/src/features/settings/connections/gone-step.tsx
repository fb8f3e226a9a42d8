import DialogContent from '@mui/material/DialogContent'
import Typography from '@mui/material/Typography'
import { CloseActions } from '../../../components/close-actions.tsx'

/** Instead of any other step: somebody deleted the connection elsewhere, and nothing is to be awaited any more. */
export const GoneStep = ({ onClose }: { onClose: () => void }) => (
  <>
    <DialogContent>
      <Typography role="status">Esta conexão foi excluída.</Typography>
    </DialogContent>
    <CloseActions onClose={onClose} />
  </>
)

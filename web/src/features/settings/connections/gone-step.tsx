import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Typography from '@mui/material/Typography'

/** Instead of any other step: somebody deleted the connection elsewhere, and nothing is to be awaited any more. */
export const GoneStep = ({ onClose }: { onClose: () => void }) => (
  <>
    <DialogContent>
      <Typography role="status">Esta conexão foi excluída.</Typography>
    </DialogContent>
    <DialogActions>
      <Button color="inherit" onClick={onClose}>
        Fechar
      </Button>
    </DialogActions>
  </>
)

import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'

/** The end of a dialog in which there is nothing to do but to close it. */
export const CloseActions = ({ onClose }: { onClose: () => void }) => (
  <DialogActions>
    <Button color="inherit" onClick={onClose}>
      Fechar
    </Button>
  </DialogActions>
)

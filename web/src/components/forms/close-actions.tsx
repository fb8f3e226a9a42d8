import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'

export const CloseActions = ({ onClose }: { onClose: () => void }) => (
  <DialogActions>
    <Button color="inherit" onClick={onClose}>
      Fechar
    </Button>
  </DialogActions>
)

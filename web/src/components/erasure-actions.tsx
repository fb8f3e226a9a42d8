import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'

interface Props {
  label: string
  pending: string
  isPending: boolean
  canErase: boolean
  onClose: () => void
}

export const ErasureActions = ({ label, pending, isPending, canErase, onClose }: Props) => (
  <DialogActions>
    <Button color="inherit" onClick={onClose}>
      Cancelar
    </Button>
    <Button type="submit" variant="contained" color="error" disabled={!canErase || isPending}>
      {isPending ? pending : label}
    </Button>
  </DialogActions>
)

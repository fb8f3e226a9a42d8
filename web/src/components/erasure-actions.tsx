import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'

interface Props {
  /** What the button does, and what it says meanwhile. */
  label: string
  pending: string
  isPending: boolean
  canErase: boolean
  onClose: () => void
}

/** The last two buttons before something is erased for good. */
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

import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { ShortcutList } from '../../../components/shortcut-list.tsx'
import { shortcutHelp } from './shortcut-help.ts'

export const ShortcutsDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="shortcuts-title">
    <DialogTitle id="shortcuts-title">Atalhos do teclado</DialogTitle>
    {/* Focusable, so that keys scroll it. */}
    <DialogContent tabIndex={0}>
      <ShortcutList shortcuts={shortcutHelp} />
      <Typography variant="caption" component="p" sx={{ pt: 4, color: 'text.secondary' }}>
        Com uma conversa aberta, as teclas de uma letra só valem na lista, depois de você chegar a ela por Tab, pelas
        setas ou por Esc. Em qualquer outro lugar, o que você digita vai para a mensagem; os atalhos com Ctrl ou Alt e o
        F8 valem sempre.
      </Typography>
    </DialogContent>
    <DialogActions>
      <Button onClick={onClose}>Fechar</Button>
    </DialogActions>
  </Dialog>
)

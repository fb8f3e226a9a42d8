import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { CloseActions } from '../../../components/forms/close-actions.tsx'
import { ShortcutList } from '../../../components/shortcut-list.tsx'
import { flowShortcutHelp } from './flow-shortcuts.ts'

export const FlowShortcutsDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="flow-shortcuts-title">
    <DialogTitle id="flow-shortcuts-title">Atalhos do teclado</DialogTitle>
    {/* Lets the keyboard scroll it on a small screen. */}
    <DialogContent tabIndex={0}>
      <ShortcutList shortcuts={flowShortcutHelp} />
    </DialogContent>
    <CloseActions onClose={onClose} />
  </Dialog>
)

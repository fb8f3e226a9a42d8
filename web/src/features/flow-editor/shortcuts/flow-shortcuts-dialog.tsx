import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { CloseActions } from '../../../components/close-actions.tsx'
import { ShortcutList } from '../../../components/shortcut-list.tsx'
import { flowShortcutHelp } from './flow-shortcuts.ts'

/** Every key that works in the flow editor. */
export const FlowShortcutsDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="flow-shortcuts-title">
    <DialogTitle id="flow-shortcuts-title">Atalhos do teclado</DialogTitle>
    {/* On a small screen it scrolls, by keys too. */}
    <DialogContent tabIndex={0}>
      <ShortcutList shortcuts={flowShortcutHelp} />
    </DialogContent>
    <CloseActions onClose={onClose} />
  </Dialog>
)

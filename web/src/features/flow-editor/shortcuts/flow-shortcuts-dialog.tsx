import Box from '@mui/material/Box'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { CloseActions } from '../../../components/close-actions.tsx'
import { flowShortcutHelp } from './flow-shortcuts.ts'

const Key = ({ name }: { name: string }) => (
  <Box
    component="kbd"
    sx={{
      typography: 'caption',
      px: 2,
      py: 0.5,
      border: '1px solid',
      borderColor: 'borderStrong',
      borderRadius: 'var(--radius-control)',
      bgcolor: 'background.default',
    }}
  >
    {name}
  </Box>
)

/** Every key that works in the flow editor. */
export const FlowShortcutsDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="flow-shortcuts-title">
    <DialogTitle id="flow-shortcuts-title">Atalhos do teclado</DialogTitle>
    {/* On a small screen it scrolls, by keys too. */}
    <DialogContent tabIndex={0}>
      <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: 4, rowGap: 2 }}>
        {flowShortcutHelp.map(({ keys, does }) => (
          <Box key={does} sx={{ display: 'contents' }}>
            <Box component="dt" sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
              {keys.map((name) => (
                <Key key={name} name={name} />
              ))}
            </Box>
            <Typography component="dd" sx={{ m: 0 }}>
              {does}
            </Typography>
          </Box>
        ))}
      </Box>
    </DialogContent>
    <CloseActions onClose={onClose} />
  </Dialog>
)

import Box from '@mui/material/Box'
import RobotIcon from '~icons/ic/round-smart-toy'

/** Flows are paused for this contact. */
export const RobotChip = () => (
  <Box
    component="span"
    sx={{
      flexShrink: 0,
      display: 'inline-flex',
      alignItems: 'center',
      gap: 1,
      px: 1.5,
      typography: 'caption',
      fontWeight: 500,
      whiteSpace: 'nowrap',
      borderRadius: 'var(--radius-control)',
      bgcolor: 'warnSoft',
      color: 'warn',
    }}
  >
    <RobotIcon aria-hidden="true" style={{ width: 14, height: 14 }} />
    Possível robô
  </Box>
)

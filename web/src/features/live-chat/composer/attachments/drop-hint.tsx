import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'

export const DropHint = () => (
  <Box
    sx={{
      position: 'absolute',
      inset: 0,
      zIndex: 2,
      display: 'grid',
      placeItems: 'center',
      pointerEvents: 'none',
      bgcolor: 'color-mix(in srgb, var(--primary-soft) 88%, transparent)',
      border: '2px dashed',
      borderColor: 'primary.main',
    }}
  >
    <Typography variant="h2" component="p">
      Solte para anexar
    </Typography>
  </Box>
)

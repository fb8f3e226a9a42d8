import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'

export const HeaderSkeleton = () => (
  <Box
    aria-hidden
    sx={{
      flexShrink: 0,
      height: 'var(--row-height)',
      display: 'flex',
      alignItems: 'center',
      gap: 3,
      px: 4,
      bgcolor: 'surface',
      borderBottom: '1px solid',
      borderColor: 'divider',
    }}
  >
    <Skeleton variant="circular" sx={{ width: 'var(--avatar)', height: 'var(--avatar)' }} />
    <Skeleton variant="text" sx={{ width: '30%', typography: 'subtitle1' }} />
  </Box>
)

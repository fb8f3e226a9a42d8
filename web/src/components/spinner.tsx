import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'

export const Spinner = ({ label = 'Carregando...' }: { label?: string }) => (
  <Box
    role="status"
    sx={{ display: 'flex', alignItems: 'center', justifyContent: 'center', gap: 3, py: 6, color: 'text.secondary' }}
  >
    <CircularProgress size={20} thickness={4.5} aria-hidden="true" />
    {label}
  </Box>
)

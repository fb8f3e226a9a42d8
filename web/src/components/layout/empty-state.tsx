import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

type Props = { icon?: ReactNode; title: string; sentence?: string; action?: ReactNode }

export const EmptyState = ({ icon, title, sentence, action }: Props) => (
  <Box
    sx={{
      display: 'flex',
      flexDirection: 'column',
      alignItems: 'center',
      justifyContent: 'center',
      gap: 2,
      px: 6,
      py: 10,
      textAlign: 'center',
      color: 'text.secondary',
    }}
  >
    {icon && <Box sx={{ color: 'borderStrong', '& svg': { fontSize: 'var(--avatar)' } }}>{icon}</Box>}
    <Typography variant="subtitle1" component="p" sx={{ color: 'text.primary' }}>
      {title}
    </Typography>
    {sentence && <Typography sx={{ maxWidth: 'var(--form-width)', textWrap: 'pretty' }}>{sentence}</Typography>}
    {action && <Box sx={{ mt: 3 }}>{action}</Box>}
  </Box>
)

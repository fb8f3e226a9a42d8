import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import { ScreenReaderText } from '../../../components/screen-reader-text.tsx'

const widths = ['52%', '38%', '61%', '45%', '56%', '40%', '48%']

export const ContactListSkeleton = () => (
  <Box role="status" sx={{ flex: 1, minHeight: 0, overflow: 'hidden' }}>
    <ScreenReaderText>Carregando contatos...</ScreenReaderText>
    {widths.map((width) => (
      <Box
        key={width}
        aria-hidden
        sx={{
          height: 'var(--row-height)',
          display: 'flex',
          alignItems: 'center',
          gap: 3,
          px: 4,
          borderBottom: '1px solid',
          borderColor: 'divider',
        }}
      >
        <Skeleton variant="circular" sx={{ width: 'var(--avatar)', height: 'var(--avatar)', flexShrink: 0 }} />
        <Box sx={{ flex: 1 }}>
          <Skeleton variant="text" sx={{ width, typography: 'subtitle2' }} />
          <Skeleton variant="text" sx={{ width: '80%', typography: 'body1' }} />
        </Box>
      </Box>
    ))}
  </Box>
)

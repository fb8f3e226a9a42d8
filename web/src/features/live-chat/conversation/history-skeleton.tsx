import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import { ScreenReaderText } from '../../../components/screen-reader-text.tsx'
import { radius } from '../../../lib/radius.ts'

const bubbles = [
  { own: false, width: '46%' },
  { own: false, width: '30%' },
  { own: true, width: '52%' },
  { own: false, width: '38%' },
  { own: true, width: '24%' },
]

export const HistorySkeleton = () => (
  <Box role="status" sx={{ flex: 1, minHeight: 0, overflow: 'hidden', bgcolor: 'sunken', px: { xs: 3, md: 6 }, pb: 4 }}>
    <ScreenReaderText>Carregando mensagens...</ScreenReaderText>
    <Box
      aria-hidden
      sx={{ height: '100%', display: 'flex', flexDirection: 'column', justifyContent: 'flex-end', gap: 2 }}
    >
      {bubbles.map(({ own, width }) => (
        <Skeleton
          key={width}
          variant="rectangular"
          sx={{
            width,
            height: 'var(--target)',
            borderRadius: radius.bubble,
            alignSelf: own ? 'flex-end' : 'flex-start',
          }}
        />
      ))}
    </Box>
  </Box>
)

import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { minutesAndSeconds } from '../../../lib/format/format.ts'

const startSeconds = 120

/** 'Tempo restante' as mm:ss; the full time while unknown. */
export const RemainingTime = ({ seconds }: { seconds: number | null }) => (
  <Typography role="timer" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
    Tempo restante{' '}
    <Box component="strong" sx={{ color: 'text.primary', fontWeight: 600 }}>
      {minutesAndSeconds(seconds ?? startSeconds)}
    </Box>
  </Typography>
)

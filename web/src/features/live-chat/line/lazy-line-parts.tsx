import Box from '@mui/material/Box'
import { lazyPart } from '../../../components/lazy-part.tsx'

/** Fetched once an account has several numbers; a row without its chip is still a row. */
export const LineChip = lazyPart(async () => (await import('./line-parts.tsx')).LineChip, null, true)

/** Keeps its place until it is there. */
export const LineMark = lazyPart(
  async () => (await import('./line-parts.tsx')).LineMark,
  <Box sx={{ typography: 'caption', height: '1lh' }} />,
  true,
)

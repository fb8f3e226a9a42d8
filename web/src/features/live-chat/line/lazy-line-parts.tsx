import Box from '@mui/material/Box'
import { lazyPart } from '../../../components/layout/lazy-part.tsx'

/** Optional; loads once an account has several numbers. */
export const LineChip = lazyPart(async () => (await import('./line-parts.tsx')).LineChip, null, true)

/** Reserves its space. */
export const LineMark = lazyPart(
  async () => (await import('./line-parts.tsx')).LineMark,
  <Box sx={{ typography: 'caption', height: '1lh' }} />,
  true,
)

import Box from '@mui/material/Box'
import { lazyPart } from '../../../components/layout/lazy-part.tsx'

/** Reserves its space. */
export const RowChoice = lazyPart(
  async () => (await import('./row-choice.tsx')).RowChoice,
  <Box sx={{ width: 'var(--avatar)' }} />,
  true,
)

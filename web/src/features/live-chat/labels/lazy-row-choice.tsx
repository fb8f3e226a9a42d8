import Box from '@mui/material/Box'
import { lazyPart } from '../../../components/lazy-part.tsx'

/** Keeps its place until it is there. */
export const RowChoice = lazyPart(
  async () => (await import('./row-choice.tsx')).RowChoice,
  <Box sx={{ width: 'var(--avatar)' }} />,
  true,
)

import Box from '@mui/material/Box'
import { ParkedWorkSection } from './parked-work.tsx'
import { ReadModelsSection } from './read-models.tsx'

/** What keeps Prosa going: work that stopped, and the read models. */
export const MaintenanceTab = () => (
  <Box sx={{ display: 'grid', gap: 8, gridTemplateColumns: 'minmax(0, 1fr)' }}>
    <ParkedWorkSection />
    <ReadModelsSection />
  </Box>
)

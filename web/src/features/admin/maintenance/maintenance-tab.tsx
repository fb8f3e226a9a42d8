import Box from '@mui/material/Box'
import { FlowLinksSection } from './flow-links.tsx'
import { ParkedWorkSection } from './parked-work.tsx'
import { ReadModelsSection } from './read-models.tsx'

/** What keeps Prosa going: work that stopped, the read models, and links that somebody complained of. */
export const MaintenanceTab = () => (
  <Box sx={{ display: 'grid', gap: 8, gridTemplateColumns: 'minmax(0, 1fr)' }}>
    <ParkedWorkSection />
    <ReadModelsSection />
    <FlowLinksSection />
  </Box>
)

import Box from '@mui/material/Box'
import { ErasuresSection } from './erasures.tsx'
import { FlowLinksSection } from './flow-links.tsx'
import { ParkedWorkSection } from './parked-work.tsx'
import { ReadModelsSection } from './read-models.tsx'

export const MaintenanceTab = () => (
  <Box sx={{ display: 'grid', gap: 8, gridTemplateColumns: 'minmax(0, 1fr)' }}>
    <ParkedWorkSection />
    <FlowLinksSection />
    <ReadModelsSection />
    <ErasuresSection />
  </Box>
)

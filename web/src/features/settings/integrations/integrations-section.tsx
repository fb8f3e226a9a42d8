import Box from '@mui/material/Box'
import { TenantKeys } from './keys/tenant-keys.tsx'

export const IntegrationsSection = () => (
  <Box sx={{ display: 'grid', gap: 8, gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'start' }}>
    <TenantKeys />
  </Box>
)

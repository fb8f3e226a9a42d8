import LinkIcon from '@mui/icons-material/LinkRounded'
import Box from '@mui/material/Box'
import { NavLink } from 'react-router-dom'
import { paths } from '../../app/paths.ts'
import { PageHeading } from '../../components/page-heading.tsx'
import { ConnectionsSection } from './connections/connections-section.tsx'

/** Settings: the side menu and the open section. */
export const SettingsPage = () => (
  <Box sx={{ width: '100%', maxWidth: 'var(--page-width)', mx: 'auto', p: { xs: 4, md: 8 }, display: 'grid', gap: 6 }}>
    <PageHeading title="Configurações" />
    <Box
      sx={{ display: 'grid', gap: { xs: 4, md: 8 }, gridTemplateColumns: { md: 'var(--menu-width) minmax(0, 1fr)' } }}
    >
      <Box component="nav" aria-label="Seções das configurações">
        <Box
          component={NavLink}
          to={paths.settings}
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 2,
            px: 3,
            minHeight: 'var(--target)',
            borderRadius: 'var(--radius-control)',
            typography: 'subtitle2',
            textDecoration: 'none',
            color: 'text.secondary',
            '&.active': { bgcolor: 'primarySoft', color: 'primary.main' },
          }}
        >
          <LinkIcon aria-hidden="true" />
          Conexões
        </Box>
      </Box>
      <ConnectionsSection />
    </Box>
  </Box>
)

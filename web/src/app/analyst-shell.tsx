import Box from '@mui/material/Box'
import { Link } from 'react-router-dom'
import { useIdleLoading } from '../components/layout/lazy-part.tsx'
import { Logo } from '../components/layout/logo.tsx'
import { paths } from '../lib/paths.ts'
import { headerStyle, Screen, Surroundings } from './app-shell.tsx'
import { UserMenu } from './user-menu.tsx'

const Frame = () => {
  useIdleLoading()
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', height: '100dvh' }}>
      <Box component="header" sx={headerStyle}>
        <Box
          component={Link}
          to={paths.data}
          aria-label="Prosa, ir para os dados"
          sx={{ display: 'flex', textDecoration: 'none' }}
        >
          <Logo />
        </Box>
        <Box sx={{ flex: 1 }} />
        <UserMenu />
      </Box>
      <Screen />
    </Box>
  )
}

/** Without a socket: nothing is pushed to analysts. */
export const AnalystShell = () => (
  <Surroundings>
    <Frame />
  </Surroundings>
)

import Box from '@mui/material/Box'
import Divider from '@mui/material/Divider'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import DarkIcon from '~icons/ic/round-dark-mode'
import LightIcon from '~icons/ic/round-light-mode'
import LogoutIcon from '~icons/ic/round-logout'
import PersonIcon from '~icons/ic/round-person'
import SettingsIcon from '~icons/ic/round-settings'
import SystemIcon from '~icons/ic/round-settings-brightness'
import { PersonAvatar } from '../components/person-avatar.tsx'
import { useCurrentUser } from '../lib/current-user.ts'
import { paths } from '../lib/paths.ts'
import { chooseTheme, useThemeChoice } from './theme-choice.ts'
import { useLogout } from './use-logout.ts'

const themes = [
  { choice: 'light', label: 'Claro', Icon: LightIcon },
  { choice: 'dark', label: 'Escuro', Icon: DarkIcon },
  { choice: 'system', label: 'Sistema', Icon: SystemIcon },
] as const

/** The person's menu: who is signed in, the theme, settings, and the way out. */
export const UserMenu = () => {
  const user = useCurrentUser()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const theme = useThemeChoice()
  const logout = useLogout()
  const close = () => setAnchor(null)

  if (!user)
    return (
      <Box role="status" sx={{ display: 'flex', alignItems: 'center', gap: 2, color: 'text.secondary' }}>
        <Skeleton variant="circular" sx={{ width: 'var(--target-small)', height: 'var(--target-small)' }} />
        Carregando...
      </Box>
    )

  const name = `${user.firstName} ${user.lastName}`
  return (
    <>
      <IconButton
        aria-label={`Menu de ${name}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ p: 0.5, borderRadius: '50%' }}
      >
        <PersonAvatar name={name} small />
      </IconButton>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ list: { 'aria-label': 'Sua conta' } }}
      >
        <Box component="li" role="none" sx={{ px: 4, pt: 1, pb: 3, maxWidth: 'var(--list-width)' }}>
          <Typography variant="subtitle2" component="p" noWrap>
            {name}
          </Typography>
          <Typography variant="caption" noWrap component="p" sx={{ color: 'text.secondary' }}>
            {user.email}
          </Typography>
        </Box>
        <Divider component="li" />
        {themes.map(({ choice, label, Icon }) => (
          <MenuItem
            key={choice}
            role="menuitemradio"
            aria-checked={theme === choice}
            selected={theme === choice}
            onClick={() => chooseTheme(choice)}
          >
            <ListItemIcon>
              <Icon />
            </ListItemIcon>
            {`Tema: ${label.toLowerCase()}`}
          </MenuItem>
        ))}
        <Divider component="li" />
        <MenuItem component={Link} to={paths.profile} onClick={close}>
          <ListItemIcon>
            <PersonIcon />
          </ListItemIcon>
          Perfil
        </MenuItem>
        <MenuItem component={Link} to={paths.settings} onClick={close}>
          <ListItemIcon>
            <SettingsIcon />
          </ListItemIcon>
          Configurações
        </MenuItem>
        <MenuItem disabled={logout.isPending || logout.isSuccess} onClick={() => logout.mutate()}>
          <ListItemIcon>
            <LogoutIcon />
          </ListItemIcon>
          {logout.isPending ? 'Saindo...' : 'Sair'}
        </MenuItem>
      </Menu>
    </>
  )
}

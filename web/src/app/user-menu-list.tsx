import Box from '@mui/material/Box'
import Divider from '@mui/material/Divider'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router-dom'
import AdminIcon from '~icons/ic/round-admin-panel-settings'
import DarkIcon from '~icons/ic/round-dark-mode'
import HelpIcon from '~icons/ic/round-help-outline'
import LightIcon from '~icons/ic/round-light-mode'
import LogoutIcon from '~icons/ic/round-logout'
import PersonIcon from '~icons/ic/round-person'
import BillingIcon from '~icons/ic/round-receipt-long'
import SettingsIcon from '~icons/ic/round-settings'
import SystemIcon from '~icons/ic/round-settings-brightness'
import { useCurrentUser } from '../lib/current-user.ts'
import { paths } from '../lib/paths.ts'
import { chooseTheme, useThemeChoice } from './theme-choice.ts'
import { useLogout } from './use-logout.ts'

const themes = [
  { choice: 'light', label: 'Claro', Icon: LightIcon },
  { choice: 'dark', label: 'Escuro', Icon: DarkIcon },
  { choice: 'system', label: 'Sistema', Icon: SystemIcon },
] as const

interface Props {
  anchor: Element
  name: string
  email: string
  onClose: () => void
}

export const UserMenuList = ({ anchor, name, email, onClose }: Props) => {
  const theme = useThemeChoice()
  const logout = useLogout()
  const isAdministrator = useCurrentUser()?.roles.includes('admin') ?? false
  return (
    <Menu
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{ list: { 'aria-label': 'Sua conta' } }}
    >
      <Box component="li" role="none" sx={{ px: 4, pt: 1, pb: 3, maxWidth: 'var(--list-width)' }}>
        <Typography variant="subtitle2" component="p" noWrap>
          {name}
        </Typography>
        <Typography variant="caption" noWrap component="p" sx={{ color: 'text.secondary' }}>
          {email}
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
      <MenuItem component={Link} to={paths.profile} onClick={onClose}>
        <ListItemIcon>
          <PersonIcon />
        </ListItemIcon>
        Perfil
      </MenuItem>
      <MenuItem component={Link} to={paths.billing} onClick={onClose}>
        <ListItemIcon>
          <BillingIcon />
        </ListItemIcon>
        Faturamento
      </MenuItem>
      <MenuItem component={Link} to={paths.settings} onClick={onClose}>
        <ListItemIcon>
          <SettingsIcon />
        </ListItemIcon>
        Configurações
      </MenuItem>
      {isAdministrator && (
        <MenuItem component={Link} to={paths.admin} onClick={onClose}>
          <ListItemIcon>
            <AdminIcon />
          </ListItemIcon>
          Administrador
        </MenuItem>
      )}
      <MenuItem component={Link} to={paths.help} onClick={onClose}>
        <ListItemIcon>
          <HelpIcon />
        </ListItemIcon>
        Ajuda
      </MenuItem>
      <MenuItem disabled={logout.isPending || logout.isSuccess} onClick={() => logout.mutate()}>
        <ListItemIcon>
          <LogoutIcon />
        </ListItemIcon>
        {logout.isPending ? 'Saindo...' : 'Sair'}
      </MenuItem>
    </Menu>
  )
}

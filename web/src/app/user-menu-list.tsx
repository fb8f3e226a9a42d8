import Box from '@mui/material/Box'
import Divider from '@mui/material/Divider'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import { useSyncExternalStore } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import AdminIcon from '~icons/ic/round-admin-panel-settings'
import DarkIcon from '~icons/ic/round-dark-mode'
import DataIcon from '~icons/ic/round-dataset'
import HelpIcon from '~icons/ic/round-help-outline'
import LightIcon from '~icons/ic/round-light-mode'
import LogoutIcon from '~icons/ic/round-logout'
import PersonIcon from '~icons/ic/round-person'
import BillingIcon from '~icons/ic/round-receipt-long'
import SettingsIcon from '~icons/ic/round-settings'
import SystemIcon from '~icons/ic/round-settings-brightness'
import { becomeUser, useCurrentUser } from '../lib/account/current-user.ts'
import { useSeesOnlyData } from '../lib/account/sees-only-data.ts'
import { forgetPersonalStorage } from '../lib/browser/personal-storage.ts'
import { call } from '../lib/http/call.ts'
import { sentenceOf } from '../lib/http/http.ts'
import { useCommand } from '../lib/http/use-command.ts'
import { paths } from '../lib/paths.ts'

type ThemeChoice = 'light' | 'dark' | 'system'

/** public/theme-choice.js reads this key before the first paint. */
const storageKey = 'prosa-theme'
const listeners = new Set<() => void>()

const current = (): ThemeChoice => {
  const chosen = document.documentElement.dataset.theme
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const chooseTheme = (choice: ThemeChoice): void => {
  if (choice === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = choice
  try {
    localStorage.setItem(storageKey, choice)
  } catch (error) {
    console.warn('O navegador não permite guardar o tema escolhido.', error)
  }
  for (const listener of listeners) listener()
}

const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, current)

const redirectMs = 1000

const useLogout = () => {
  const navigate = useNavigate()
  return useCommand({
    run: () => call('POST /api/auth/logout'),
    apply: (queries) => {
      // Now, and again with the user: within that second the browser may close or store more.
      forgetPersonalStorage()
      // Outlives this component: the server closes the socket at once, which may unmount the signed-in screens.
      setTimeout(() => {
        navigate(paths.login)
        becomeUser(queries, null)
      }, redirectMs)
    },
    done: { title: 'Logout realizado', description: 'Você foi desconectado com sucesso.' },
    failed: (error) => ({ title: 'Erro no logout', description: sentenceOf(error, 'Erro ao fazer logout.') }),
  })
}

const themes = [
  { choice: 'light', label: 'Claro', Icon: LightIcon },
  { choice: 'dark', label: 'Escuro', Icon: DarkIcon },
  { choice: 'system', label: 'Sistema', Icon: SystemIcon },
] as const

const profile = { to: paths.profile, label: 'Perfil', Icon: PersonIcon } as const
const data = { to: paths.data, label: 'Dados', Icon: DataIcon } as const
const own = [
  profile,
  { to: paths.billing, label: 'Faturamento', Icon: BillingIcon },
  { to: paths.settings, label: 'Configurações', Icon: SettingsIcon },
  data,
] as const
const help = { to: paths.help, label: 'Ajuda', Icon: HelpIcon } as const
const ofAnalysts = [data, profile]
const ofSubscribers = [...own, help]
const ofAdministrators = [...own, { to: paths.admin, label: 'Administrador', Icon: AdminIcon }, help]

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
  const destinations = useSeesOnlyData() ? ofAnalysts : isAdministrator ? ofAdministrators : ofSubscribers
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
      {destinations.map(({ to, label, Icon }) => (
        <MenuItem key={to} component={Link} to={to} onClick={onClose}>
          <ListItemIcon>
            <Icon />
          </ListItemIcon>
          {label}
        </MenuItem>
      ))}
      <MenuItem disabled={logout.isPending || logout.isSuccess} onClick={() => logout.mutate()}>
        <ListItemIcon>
          <LogoutIcon />
        </ListItemIcon>
        {logout.isPending ? 'Saindo...' : 'Sair'}
      </MenuItem>
    </Menu>
  )
}

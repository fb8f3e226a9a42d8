import Box from '@mui/material/Box'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import CheckedIcon from '~icons/ic/round-check-box'
import UncheckedIcon from '~icons/ic/round-check-box-outline-blank'

/** `unknown`: the browser has no notifications. */
export type AlertPermission = NotificationPermission | 'unknown'

const notificationHelp: Record<AlertPermission, string> = {
  granted: 'Com o nome de quem escreveu, nunca a mensagem',
  default: 'O navegador vai pedir sua permissão',
  denied: 'Bloqueados nas permissões do navegador',
  unknown: 'Este navegador não tem avisos',
}

interface ItemProps {
  label: string
  help: string
  checked: boolean
  disabled?: boolean
  onToggle: () => void
}

const Item = ({ label, help, checked, disabled, onToggle, ...rest }: ItemProps) => (
  <MenuItem
    {...rest}
    role="menuitemcheckbox"
    aria-checked={checked}
    disabled={disabled}
    onClick={onToggle}
    sx={{ '&.Mui-disabled': { opacity: 1, color: 'text.disabled' } }}
  >
    <ListItemIcon sx={{ color: checked ? 'primary.main' : 'text.secondary' }}>
      {checked ? <CheckedIcon /> : <UncheckedIcon />}
    </ListItemIcon>
    <Box>
      {label}
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        {help}
      </Typography>
    </Box>
  </MenuItem>
)

interface Props {
  anchor: Element
  sound: boolean
  notified: boolean
  permission: AlertPermission
  onToggleSound: () => void
  onToggleNotifications: () => void
  onClose: () => void
}

export const AlertsMenu = (props: Props) => {
  const { anchor, sound, notified, permission, onToggleSound, onToggleNotifications, onClose } = props
  return (
    <Menu
      open
      anchorEl={anchor}
      onClose={onClose}
      // Disabled items explain why: keys must reach them.
      slotProps={{ list: { 'aria-label': 'Avisos de novas mensagens', disabledItemsFocusable: true } }}
    >
      <Item label="Som" help="Um toque curto quando chega uma mensagem" checked={sound} onToggle={onToggleSound} />
      <Item
        label="Avisos na área de trabalho"
        help={notificationHelp[permission]}
        checked={notified}
        disabled={permission === 'denied' || permission === 'unknown'}
        onToggle={onToggleNotifications}
      />
    </Menu>
  )
}

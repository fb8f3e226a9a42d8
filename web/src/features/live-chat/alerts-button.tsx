import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import CheckedIcon from '~icons/ic/round-check-box'
import UncheckedIcon from '~icons/ic/round-check-box-outline-blank'
import NotificationsIcon from '~icons/ic/round-notifications'
import NotificationsOffIcon from '~icons/ic/round-notifications-off'
import { KeyHint } from '../../components/key-hint.tsx'
import { chooseAlerts, useAlertChoice } from '../../lib/alert-choice.ts'
import { playAlertTone } from './alert-tone.ts'

type Permission = NotificationPermission | 'unknown'

const permissionNow = (): Permission => (typeof Notification === 'undefined' ? 'unknown' : Notification.permission)

const notificationHelp: Record<Permission, string> = {
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

/** How this browser announces messages of chats that are not in view: by a tone, by notifications, or not at all. */
export const AlertsButton = () => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [permission, setPermission] = useState(permissionNow)
  const { sound, notifications } = useAlertChoice()
  const notified = notifications && permission === 'granted'

  const toggleSound = () => {
    chooseAlerts({ sound: !sound })
    if (!sound) playAlertTone()
  }
  const toggleNotifications = async () => {
    if (notified) return chooseAlerts({ notifications: false })
    const answer = permission === 'default' ? await Notification.requestPermission() : permission
    setPermission(answer)
    chooseAlerts({ notifications: answer === 'granted' })
  }

  return (
    <>
      <KeyHint title="Avisos de novas mensagens">
        <IconButton
          aria-label="Avisos de novas mensagens"
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          color="secondary"
          onClick={(event) => {
            setPermission(permissionNow())
            setAnchor(event.currentTarget)
          }}
        >
          {sound || notified ? <NotificationsIcon /> : <NotificationsOffIcon />}
        </IconButton>
      </KeyHint>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        // Why something cannot be switched on stands in it: the keys go there too.
        slotProps={{ list: { 'aria-label': 'Avisos de novas mensagens', disabledItemsFocusable: true } }}
      >
        <Item label="Som" help="Um toque curto quando chega uma mensagem" checked={sound} onToggle={toggleSound} />
        <Item
          label="Avisos na área de trabalho"
          help={notificationHelp[permission]}
          checked={notified}
          disabled={permission === 'denied' || permission === 'unknown'}
          onToggle={() => void toggleNotifications()}
        />
      </Menu>
    </>
  )
}

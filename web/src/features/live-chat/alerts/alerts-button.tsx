import IconButton from '@mui/material/IconButton'
import { useState } from 'react'
import NotificationsIcon from '~icons/ic/round-notifications'
import NotificationsOffIcon from '~icons/ic/round-notifications-off'
import { KeyHint } from '../../../components/key-hint.tsx'
import { lazyPart } from '../../../components/layout/lazy-part.tsx'
import { chooseAlerts, useAlertChoice } from '../../../lib/browser/alert-choice.ts'
import { playAlertTone } from './alert-tone.ts'
import type { AlertPermission } from './alerts-menu.tsx'

const permissionNow = (): AlertPermission => (typeof Notification === 'undefined' ? 'unknown' : Notification.permission)

const AlertsMenu = lazyPart(async () => (await import('./alerts-menu.tsx')).AlertsMenu)

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
      {anchor && (
        <AlertsMenu
          anchor={anchor}
          sound={sound}
          notified={notified}
          permission={permission}
          onToggleSound={toggleSound}
          onToggleNotifications={() => void toggleNotifications()}
          onClose={() => setAnchor(null)}
        />
      )}
    </>
  )
}

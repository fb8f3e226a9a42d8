const icon = '/icons/prosa-192.png'

/** Phones show notifications only through a service worker. */
const worker = async (): Promise<ServiceWorkerRegistration | undefined> => {
  if (!('serviceWorker' in navigator)) return undefined
  await navigator.serviceWorker.register('/notifications.js')
  return navigator.serviceWorker.ready
}

export const mayNotify = (): boolean => typeof Notification !== 'undefined' && Notification.permission === 'granted'

export interface Announcement {
  title: string
  body: string
  /** A later notification with the same tag replaces it. */
  tag: string
  path: string
}

/** `onOpen` is only for browsers without service workers. */
export const notify = async (
  { title, body, tag, path }: Announcement,
  onOpen: (path: string) => void,
): Promise<void> => {
  const options = { body, tag, icon, silent: true }
  const registration = await worker()
  if (registration) {
    await registration.showNotification(title, { ...options, badge: '/icons/prosa-badge-96.png', data: { path } })
    return
  }
  const shown = new Notification(title, options)
  shown.onclick = () => {
    window.focus()
    onOpen(path)
    shown.close()
  }
}

/** Returns the unsubscribe function. */
export const onNotificationPressed = (open: (path: string) => void): (() => void) => {
  if (!('serviceWorker' in navigator)) return () => undefined
  const receive = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'object' && data !== null && 'open' in data && typeof data.open === 'string') open(data.open)
  }
  navigator.serviceWorker.addEventListener('message', receive)
  return () => navigator.serviceWorker.removeEventListener('message', receive)
}

/** Notifications contain names, which the next user must not see. */
export const closeNotifications = async (): Promise<void> => {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.getRegistration()
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close()
}

const icon = '/icons/prosa-192.png'

/** Of the worker that shows notifications on phones; undefined where the browser has none. */
const worker = async (): Promise<ServiceWorkerRegistration | undefined> => {
  if (!('serviceWorker' in navigator)) return undefined
  await navigator.serviceWorker.register('/notifications.js')
  return navigator.serviceWorker.ready
}

/** True where the browser has notifications and the person allowed them. */
export const mayNotify = (): boolean => typeof Notification !== 'undefined' && Notification.permission === 'granted'

export interface Announcement {
  title: string
  body: string
  /** One that is shown with the same tag gives way to it. */
  tag: string
  /** Where it leads, an address within Prosa. */
  path: string
}

/** Shows a notification until it is pressed or `closeNotifications`. `onOpen` is called with `path` in browsers without service workers. */
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

/** Calls back with the address of a notification that was pressed; returns how to stop. */
export const onNotificationPressed = (open: (path: string) => void): (() => void) => {
  if (!('serviceWorker' in navigator)) return () => undefined
  const receive = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'object' && data !== null && 'open' in data && typeof data.open === 'string') open(data.open)
  }
  navigator.serviceWorker.addEventListener('message', receive)
  return () => navigator.serviceWorker.removeEventListener('message', receive)
}

/** Takes away what is shown: it names people, and is nobody else's. */
export const closeNotifications = async (): Promise<void> => {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.getRegistration()
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close()
}

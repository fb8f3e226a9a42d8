// Phones show notifications of a service worker only: that is all this one is for. It keeps nothing and answers no request.
// See src/lib/browser/notifications.ts.

/** Leads to the conversation that a notification was about, in a window that is open, or else in a new one. */
const open = async (path) => {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const [shown = windows[0]] = windows.filter(({ visibilityState }) => visibilityState === 'visible')
  if (!shown) return self.clients.openWindow(path)
  shown.postMessage({ open: path })
  return shown.focus()
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data.path))
})

// Loads the page again when its program did not arrive, as while the server restarts. Only once the server answers: a page that the
// browser cannot load at all ends in its own error page, where nothing retries.
const pauseMs = 1000
/** A program that never arrives (blocked, or gone) is not asked for without end. */
const maxReloads = 5
/** A request that hangs reports no error. */
const patienceMs = 8000
const key = 'prosa-reloads'
const opening = 'Abrindo o Prosa…'
let isWaiting = false

const waitForServer = async () => {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const answered = await fetch('/health/live', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (answered) return location.reload()
  }
}

/** Counts in the window's own storage; where that is forbidden nothing is loaded again. */
const mayReload = () => {
  try {
    const count = Number(sessionStorage.getItem(key) ?? 0)
    if (count >= maxReloads) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, String(count + 1))
    return count < maxReloads
  } catch {
    return false
  }
}

/** Outside the program's root, which the program fills when it arrives after all. */
const offerReload = () => {
  const root = document.getElementById('root')
  if (isWaiting || !root || root.hasChildNodes()) return
  const notice = document.createElement('p')
  notice.setAttribute('role', 'status')
  const button = document.createElement('button')
  button.textContent = 'Carregar de novo'
  button.addEventListener('click', () => location.reload())
  notice.append(opening, ' ', button)
  root.before(notice)
  new MutationObserver((_, observer) => {
    notice.remove()
    observer.disconnect()
  }).observe(root, { childList: true })
}
setTimeout(offerReload, patienceMs)

addEventListener(
  'error',
  ({ target }) => {
    const root = document.getElementById('root')
    if (!(target instanceof HTMLScriptElement) || isWaiting || !root || root.hasChildNodes()) return
    isWaiting = true
    const reloads = mayReload()
    root.textContent = reloads ? opening : 'O Prosa não abriu. Recarregue a página em alguns instantes.'
    if (reloads) void waitForServer()
  },
  true,
)

addEventListener('load', () => {
  if (isWaiting) return
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was counted.
  }
})

// Loads the page again when its program did not arrive, as while the server restarts. Only once the server answers: a page that the
// browser cannot load at all ends in its own error page, where nothing retries.
const pauseMs = 1000
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

addEventListener(
  'error',
  ({ target }) => {
    const root = document.getElementById('root')
    if (!(target instanceof HTMLScriptElement) || isWaiting || root?.hasChildNodes()) return
    isWaiting = true
    if (root) root.textContent = 'Abrindo o Prosa…'
    void waitForServer()
  },
  true,
)

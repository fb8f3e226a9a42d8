const POLL_MS = 10

/** Rejects with `what` after `timeoutMs`. */
export async function until(what: string, check: () => boolean, timeoutMs = 30_000) {
  const end = Date.now() + timeoutMs
  while (!check()) {
    if (Date.now() > end) throw new Error(`timed out waiting until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

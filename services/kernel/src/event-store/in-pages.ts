import { setImmediate } from 'node:timers/promises'

/** Prefetches one page. `load` returns undefined past the end; a page without `next` is the last. */
export async function* inPages<Page, From>(
  start: From,
  load: (from: From) => Promise<{ page: Page; next: From | undefined } | undefined>,
): AsyncGenerator<Page> {
  let loading = load(start)
  for (let loaded = await loading; loaded; loaded = await loading) {
    const { page, next } = loaded
    if (next === undefined) return yield page
    loading = load(next)
    // A reader that stops early never awaits this page.
    loading.catch(() => undefined)
    // Sends the request first: server and reader work in parallel.
    await setImmediate()
    yield page
  }
}

import { setImmediate } from 'node:timers/promises'

/**
 * Reads page after page, each from where the one before ended, and fetches the next while the reader is busy with this one.
 * `load` answers undefined behind the last page; a page without `next` is the last.
 */
export async function* inPages<Page, From>(
  start: From,
  load: (from: From) => Promise<{ page: Page; next: From | undefined } | undefined>,
): AsyncGenerator<Page> {
  let loading = load(start)
  for (let loaded = await loading; loaded; loaded = await loading) {
    const { page, next } = loaded
    if (next === undefined) return yield page
    loading = load(next)
    // A reader who stops early never awaits this page: its failure concerns nobody then. Otherwise the await above throws it.
    loading.catch(() => undefined)
    // The request leaves at the end of this turn: the server works on it while the reader is busy.
    await setImmediate()
    yield page
  }
}

import type { Page } from 'playwright-core'

/** What it took Chromium to show a page for the first time: bytes as they came over the line with their headers, times in ms. */
export interface PageLoad {
  firstPaintMs: number
  firstContentfulPaintMs: number
  largestContentfulPaintMs: number
  /** Chromium's own sum of what moved, while it loaded and while it was scrolled to its end; 0: nothing did. */
  layoutShift: number
  /** Script that was asked for before anything was painted. */
  scriptBytesBeforePaint: number
  bytes: Record<Kind, number>
}

type Kind = 'page' | 'script' | 'style' | 'font' | 'picture' | 'other'

/** Runs in the page: what Chromium noted of itself. No function in it has a name: tsx would call a helper of its own for each. */
const readTimings = async () => {
  const [paints = [], shifts = [], largest = []] = await Promise.all(
    ['paint', 'layout-shift', 'largest-contentful-paint'].map(
      (type) =>
        new Promise<PerformanceEntry[]>((resolve) => {
          new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true })
          // Of what never was, nothing is reported.
          setTimeout(() => resolve([]), 300)
        }),
    ),
  )
  const loaded = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  return {
    paints: Object.fromEntries(paints.map(({ name, startTime }) => [name, startTime])),
    largestMs: largest.at(-1)?.startTime ?? Number.NaN,
    layoutShift: shifts.reduce((sum, shift) => sum + Number(Reflect.get(shift, 'value')), 0),
    loaded: loaded.map((entry) => ({
      name: entry.name,
      startMs: entry.startTime,
      by: String(Reflect.get(entry, 'initiatorType')),
      bytes: Number(Reflect.get(entry, 'transferSize')),
    })),
  }
}

const kindOf = ({ name, by }: { name: string; by: string }): Kind => {
  const { pathname } = new URL(name)
  if (by === 'navigation') return 'page'
  if (by === 'script' || pathname.endsWith('.js') || pathname.endsWith('.mjs')) return 'script'
  if (pathname.endsWith('.css')) return 'style'
  if (pathname.endsWith('.woff2')) return 'font'
  return /\.(webp|png|svg|jpe?g|gif|ico|avif)$/.test(pathname) ? 'picture' : 'other'
}

/** Shows the page in this window, whose cache should be empty, scrolls to its end, and reads what that took. */
export const loadPage = async (page: Page, url: string): Promise<PageLoad> => {
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight / 2) {
      scrollTo(0, y)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  })
  await page.waitForLoadState('networkidle')
  const { paints, largestMs, layoutShift, loaded } = await page.evaluate(readTimings)
  const firstPaintMs = paints['first-paint'] ?? Number.NaN
  const bytes: Record<Kind, number> = { page: 0, script: 0, style: 0, font: 0, picture: 0, other: 0 }
  for (const entry of loaded) bytes[kindOf(entry)] += entry.bytes
  return {
    firstPaintMs,
    firstContentfulPaintMs: paints['first-contentful-paint'] ?? Number.NaN,
    largestContentfulPaintMs: largestMs,
    layoutShift,
    scriptBytesBeforePaint: loaded
      .filter((entry) => kindOf(entry) === 'script' && entry.startMs < firstPaintMs)
      .reduce((sum, entry) => sum + entry.bytes, 0),
    bytes,
  }
}

/** All that came but pictures. */
export const bytesWithoutPictures = ({ bytes: { picture: _, ...others } }: PageLoad): number =>
  Object.values(others).reduce((sum, each) => sum + each, 0)

import type { Page } from 'playwright-core'

/** First visit in Chromium: transferred bytes including headers, times in ms. */
export interface PageLoad {
  firstPaintMs: number
  firstContentfulPaintMs: number
  largestContentfulPaintMs: number
  /** Chromium's cumulative layout shift, also while scrolling to the end. */
  layoutShift: number
  scriptBytesBeforePaint: number
  bytes: Record<Kind, number>
}

type Kind = 'page' | 'script' | 'style' | 'font' | 'picture' | 'other'

/** Runs in the page. Functions must be anonymous: tsx would call its own helper for named ones. */
const readTimings = async () => {
  const [paints = [], shifts = [], largest = []] = await Promise.all(
    ['paint', 'layout-shift', 'largest-contentful-paint'].map(
      (type) =>
        new Promise<PerformanceEntry[]>((resolve) => {
          new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true })
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

export const bytesWithoutPictures = ({ bytes: { picture: _, ...others } }: PageLoad): number =>
  Object.values(others).reduce((sum, each) => sum + each, 0)

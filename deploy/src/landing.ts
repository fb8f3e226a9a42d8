import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Logger } from '@prosa/kernel/observability/log'

/** What the built `web/dist/landing/landing.mjs` exports (`web/src/features/landing/render-landing.tsx`). */
interface Rendering {
  isAppPath(path: string): boolean
  landingStyle(of: { style: string; fontUrl: string }): string
  renderLanding(of: LandingContent & { style: string; fontUrl: string; origin: string | null }): string
}

/** What the page shows of the running product. */
export interface LandingContent {
  plans: readonly {
    planId: string
    planName: string
    price: string
    accessDays: number
    description: string
    purchaseUrl: string | null
  }[]
  counts?: { messages: number; businesses: number; deliveredPercent: number | null } | undefined
  supportEmail?: string | undefined
}

export interface LandingSettings {
  /** `web/dist/landing` */
  folder: string
  /** `web/dist/<mode>/assets`, where the font is. */
  assets: string
  /** The public address; null where none is set. */
  origin: string | null
  read: () => Promise<LandingContent>
  log: Logger
}

export interface RenderedLanding {
  html: Buffer
  gzip: Buffer
  brotli: Buffer
  etag: string
}

export interface Landing {
  /** Whether a visitor sees the landing page at this path. */
  isAt(path: string): boolean
  /** The hash of the page's styles, for the content security policy: `'sha256-…'`. */
  styleSource: `'sha256-${string}'`
  /** The page as it is now; rendered anew only when what it shows is another. */
  page(): Promise<RenderedLanding>
}

/** How long visitors may see a plan that was changed. */
const freshMs = 5000

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('base64')

const compress = async (text: string): Promise<RenderedLanding> => {
  const html = Buffer.from(text)
  const [gzipped, brotli] = await Promise.all([promisify(gzip)(html), promisify(brotliCompress)(html)])
  return { html, gzip: gzipped, brotli, etag: `"${sha256(html)}"` }
}

/** The landing page as HTML without a script, from the components of the app. Throws where it is not built. */
export const landing = async ({ folder, assets, origin, read, log }: LandingSettings): Promise<Landing> => {
  const rendering: Rendering = await import(pathToFileURL(join(folder, 'landing.mjs')).href)
  const style = await readFile(join(folder, 'landing.css'), 'utf8')
  const font = (await readdir(assets)).find((name) => /^inter-latin-wght-normal.*\.woff2$/.test(name))
  if (!font) throw new Error(`The web app is not built: ${assets} has no font.`)
  const look = { style, fontUrl: `/assets/${font}` }

  let shown: { content: string; rendered: Promise<RenderedLanding> } | undefined
  let fresh: Promise<RenderedLanding> | undefined
  let readAt = Number.NEGATIVE_INFINITY

  const renderCurrent = async () => {
    const content = await read()
    const key = JSON.stringify(content)
    if (shown?.content !== key)
      shown = { content: key, rendered: compress(rendering.renderLanding({ ...content, ...look, origin })) }
    return shown.rendered
  }

  return {
    isAt: (path) => !rendering.isAppPath(path),
    styleSource: `'sha256-${sha256(rendering.landingStyle(look))}'`,
    page() {
      const now = performance.now()
      if (fresh && now - readAt < freshMs) return fresh
      readAt = now
      // While it cannot be read, visitors see what was shown last.
      const last = shown?.rendered
      fresh = renderCurrent().catch((error: unknown) => {
        if (!last) throw error
        log.warn({ err: error }, 'the landing page is shown as it was last')
        return last
      })
      return fresh
    },
  }
}

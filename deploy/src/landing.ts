import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { AfterEnd } from '@prosa/contracts/values/plan'
import type { Logger } from '@prosa/kernel/observability/log'
import type { Config } from '@prosa/product/process/config'

/** Exports of `web/dist/landing/landing.mjs` (`web/src/features/landing/render-landing.tsx`). */
interface Rendering {
  isAppPath(path: string): boolean
  landingStyle(of: { style: string; fontUrl: string }): string
  renderLegal(look: { style: string; fontUrl: string }, facts: LegalFacts): { path: string; html: string }[]
  renderLanding(of: LandingContent & { style: string; fontUrl: string; origin: string | null }): string
}

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
  sellerName?: string | undefined
}

/** What terms of use and privacy policy name of whoever runs this Prosa; undefined: they say that it is missing. */
export interface LegalFacts extends Pick<Config, 'seller' | 'privacy'> {
  version: string
  afterEnd: AfterEnd
  deliveryDays: number
}

export interface LandingSettings {
  /** `web/dist/landing` */
  folder: string
  /** `web/dist/<mode>/assets`, for the font. */
  assets: string
  /** The public address, or null. */
  origin: string | null
  read: () => Promise<LandingContent>
  legal: LegalFacts
  log: Logger
}

export interface RenderedLanding {
  html: Buffer
  gzip: Buffer
  brotli: Buffer
  etag: string
}

export interface Landing {
  isAt(path: string): boolean
  /** For the content security policy: `'sha256-…'`. */
  styleSource: `'sha256-${string}'`
  page(): Promise<RenderedLanding>
  /** `/terms` and `/privacy`, to everybody. */
  legal: ReadonlyMap<string, RenderedLanding>
}

/** Limit of staleness for a changed plan. */
const freshMs = 5000

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('base64')

const compress = async (text: string): Promise<RenderedLanding> => {
  const html = Buffer.from(text)
  const [gzipped, brotli] = await Promise.all([promisify(gzip)(html), promisify(brotliCompress)(html)])
  return { html, gzip: gzipped, brotli, etag: `"${sha256(html)}"` }
}

/** Static HTML without scripts. Throws if the landing page is not built. */
export const landing = async ({ folder, assets, origin, read, legal, log }: LandingSettings): Promise<Landing> => {
  const rendering: Rendering = await import(pathToFileURL(join(folder, 'landing.mjs')).href)
  const style = await readFile(join(folder, 'landing.css'), 'utf8')
  const font = (await readdir(assets)).find((name) => /^inter-latin-wght-normal.*\.woff2$/.test(name))
  if (!font) throw new Error(`The web app is not built: ${assets} has no font.`)
  const look = { style, fontUrl: `/assets/${font}` }
  const legalPages = rendering
    .renderLegal(look, legal)
    .map(async ({ path, html }) => [path, await compress(html)] as const)

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
    legal: new Map(await Promise.all(legalPages)),
    isAt: (path) => !rendering.isAppPath(path),
    styleSource: `'sha256-${sha256(rendering.landingStyle(look))}'`,
    page() {
      const now = performance.now()
      if (fresh && now - readAt < freshMs) return fresh
      readAt = now
      // If reading fails, visitors see the last version.
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

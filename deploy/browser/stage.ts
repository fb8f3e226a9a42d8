import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { startClusteredProduct } from '../test/clustered-product.ts'
import { type Product, type ProductOptions, startProduct } from '../test/product.ts'
import { type Browser, openChromium, type WindowOptions } from './chromium.ts'
import { isLongWalk } from './long-walk.ts'
import { look } from './pictures.ts'

const root = join(import.meta.dirname, '../..')

export interface Screen {
  page: Page
  button(name: string | RegExp): Locator
  dialog(name?: string | RegExp): Locator
  sees(name: string, prepare?: () => Promise<unknown>): Promise<void>
  /** Like `sees`, in a long walk only: axe has seen a similar screen. */
  pictures(name: string, prepare?: () => Promise<unknown>): Promise<void>
}

export const screenOf = (page: Page, inEveryView = false): Screen => {
  const sees: Screen['sees'] = async (name, prepare) => {
    expect.soft(await look(page, name, prepare, inEveryView)).toEqual([])
  }
  const exact = (name: string | RegExp | undefined) => ({ name, exact: typeof name === 'string' })
  return {
    page,
    button: (name) => page.getByRole('button', exact(name)),
    dialog: (name) => page.getByRole('dialog', exact(name)),
    sees,
    async pictures(name, prepare) {
      if (isLongWalk) await sees(name, prepare)
    },
  }
}

export interface Stage extends Screen {
  product: Product
  browser: Browser
  close(): Promise<void>
}

export interface StageOptions extends Omit<ProductOptions, 'webFolder' | 'hasLandingPage'> {
  isClustered?: boolean
}

/** The same acceptance tests for one process and for many. */
const isUsuallyClustered = process.env.PROSA_TOPOLOGY === 'cluster'

export const openStage = async ({
  isClustered = isUsuallyClustered,
  ...options
}: StageOptions = {}): Promise<Stage> => {
  await promisify(execFile)(process.execPath, [join(root, 'scripts/builds/build-local.mjs')], { cwd: root })
  const [product, browser] = await Promise.all([
    isClustered
      ? startClusteredProduct(options)
      : startProduct({ ...options, webFolder: join(root, 'web/dist/simulator'), hasLandingPage: true }),
    openChromium(),
  ])
  const page = browser.context.pages()[0] ?? (await browser.context.newPage())
  return {
    ...screenOf(page),
    product,
    browser,
    async close() {
      await browser.close()
      await product.stop()
    },
  }
}

/** New storage on the same product: starting Chromium and the product costs seconds. */
export const openWindow = async ({ product, browser }: Stage, options: WindowOptions = {}): Promise<Stage> => {
  const window = await browser.another(options)
  const page = await window.context.newPage()
  return { ...screenOf(page), product, browser: window, close: window.close }
}

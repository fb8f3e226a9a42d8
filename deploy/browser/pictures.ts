import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const folder = process.env.PROSA_PICTURES

export const takesPictures = folder !== undefined

const wcag = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

const views = [
  { name: 'desktop-light', viewport: desktop, colorScheme: 'light' },
  { name: 'phone-dark', viewport: phone, colorScheme: 'dark' },
  { name: 'desktop-dark', viewport: desktop, colorScheme: 'dark' },
  { name: 'phone-light', viewport: phone, colorScheme: 'light' },
] as const

/** A change of colour scheme restyles the whole page, so it stays for several looks. */
const looksPerScheme = 6
let looks = 0

const viewOf = (turn: number) =>
  views.filter(({ colorScheme }) => (colorScheme === 'dark') === (Math.floor(turn / looksPerScheme) % 2 === 1))[
    turn % 2
  ]

const choose = (scheme: string) => {
  const { dataset } = document.documentElement
  if ((dataset.theme ?? 'light') !== scheme) dataset.theme = scheme
}

/** At most 2 s: skeletons pulse for ever, and hidden pages have no frames. */
const atRest = async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const ended = async () => {
    await frame()
    await frame()
    const moving = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    await Promise.allSettled(moving.map(({ finished }) => finished))
  }
  await Promise.race([ended(), new Promise((resolve) => setTimeout(resolve, 2000))])
}

const widerThanItsPlace = () =>
  [document.documentElement, ...document.querySelectorAll('main, [role=dialog], .MuiDialogContent-root')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
    .map((place) => {
      const { right } = place.getBoundingClientRect()
      const wide = [...place.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > right + 1)
      return `${place.tagName} ${place.scrollWidth} > ${place.clientWidth}: ${wide.at(0)?.outerHTML.slice(0, 300)}`
    })

/** The source of axe is half a megabyte, so it is injected once per document. */
const violationsOf = async (page: Page) => {
  const isThere = await page.evaluate(() => 'axe' in globalThis)
  // Legacy mode, as there are no frames of other origins. Hints fade for 0.5 s and have random contrast meanwhile.
  const axe = new AxeBuilder(isThere ? { page, axeSource: 'undefined' } : { page })
    .options({ resultTypes: ['violations'], runOnly: wcag })
    .exclude('.MuiTooltip-popper')
    .setLegacyMode(true)
  return (await axe.analyze()).violations
}

/**
 * Returns violations and overflows of the next view (desktop or 390 px, light or dark); of all four with `inEveryView` or PROSA_PICTURES.
 * `prepare` reopens what resizing closes. The colours stay.
 */
export const look = async (
  page: Page,
  name: string,
  prepare?: () => Promise<unknown>,
  inEveryView = false,
): Promise<string[]> => {
  const faults: string[] = []
  const turn = looks++
  const shown = folder || inEveryView ? views : [viewOf(turn)].flatMap((one) => one ?? [])
  // Chromium renders a background page once a second.
  await page.bringToFront()
  for (const { name: view, viewport, colorScheme } of shown) {
    await page.setViewportSize(viewport)
    await page.evaluate(choose, colorScheme)
    await prepare?.()
    await page.evaluate(atRest)
    if (folder) {
      await mkdir(folder, { recursive: true })
      await page.screenshot({ path: join(folder, `${name}-${view}.png`) })
    }
    const violations = await violationsOf(page)
    for (const { id, nodes } of violations)
      faults.push(`${name} ${view}: ${id} ${nodes.map(({ html }) => html).join(' ')}`)
    for (const wide of await page.evaluate(widerThanItsPlace)) faults.push(`${name} ${view}: ${wide}`)
  }
  await page.setViewportSize(desktop)
  return faults
}

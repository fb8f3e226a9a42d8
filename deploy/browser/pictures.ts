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

/** A change of colours makes the browser style the whole page anew, twice if it is taken back: it stays for some looks. */
const looksPerScheme = 6
let looks = 0

const viewOf = (turn: number) =>
  views.filter(({ colorScheme }) => (colorScheme === 'dark') === (Math.floor(turn / looksPerScheme) % 2 === 1))[
    turn % 2
  ]

/** Shows the theme that a person would choose in the menu. */
const choose = (scheme: string) => {
  const { dataset } = document.documentElement
  if ((dataset.theme ?? 'light') !== scheme) dataset.theme = scheme
}

/**
 * Resolves when every transition that was going on has ended; a pulsing skeleton never does. Two seconds are enough: a page
 * that is drawn no more would wait for ever.
 */
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

/** Where something is wider than what it stands in, so that people would have to scroll sideways. Both are rounded to whole pixels. */
const widerThanItsPlace = () =>
  [document.documentElement, ...document.querySelectorAll('main, [role=dialog], .MuiDialogContent-root')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
    .map((place) => {
      const { right } = place.getBoundingClientRect()
      const wide = [...place.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > right + 1)
      return `${place.tagName} ${place.scrollWidth} > ${place.clientWidth}: ${wide.at(0)?.outerHTML.slice(0, 300)}`
    })

/** What axe finds wrong with the document as it stands. Its source is read once a document: it is half a megabyte. */
const violationsOf = async (page: Page) => {
  const isThere = await page.evaluate(() => 'axe' in globalThis)
  // The other mode opens a page of its own for each analysis, which is for frames of other origins: there are none.
  // A hint fades in half a second after the pointer came to rest: caught half-way it has any contrast.
  const axe = new AxeBuilder(isThere ? { page, axeSource: 'undefined' } : { page })
    .options({ resultTypes: ['violations'], runOnly: wcag })
    .exclude('.MuiTooltip-popper')
    .setLegacyMode(true)
  return (await axe.analyze()).violations
}

/**
 * Gives what axe finds wrong with the screen as it stands, and what is too wide for it: desktop or 390 px, light or dark, another with each call; all four
 * where `inEveryView`. With PROSA_PICTURES naming a folder, all four are checked and their pictures put there. `prepare` opens
 * what a change of the window's size closes. The window is large again afterwards; the colours stay.
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
  // A page behind another one is drawn once a second.
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

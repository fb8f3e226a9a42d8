import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const folder = process.env.PROSA_PICTURES
const wcag = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

const views = [
  { name: 'desktop-light', viewport: desktop, colorScheme: 'light' },
  { name: 'phone-dark', viewport: phone, colorScheme: 'dark' },
  { name: 'desktop-dark', viewport: desktop, colorScheme: 'dark' },
  { name: 'phone-light', viewport: phone, colorScheme: 'light' },
] as const

let looks = 0

/** Shows the theme that a person would choose in the menu. */
const choose = (scheme: string) => {
  document.documentElement.dataset.theme = scheme
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

/**
 * Gives what axe finds wrong with the screen as it stands: desktop or 390 px, light or dark, another with each call. With
 * PROSA_PICTURES naming a folder, all four are checked and their pictures put there. `prepare` opens what a change of the
 * window's size closes.
 */
export const look = async (page: Page, name: string, prepare?: () => Promise<unknown>): Promise<string[]> => {
  const faults: string[] = []
  const turn = looks++ % views.length
  // A page behind another one is drawn once a second.
  await page.bringToFront()
  for (const { name: view, viewport, colorScheme } of folder ? views : views.slice(turn, turn + 1)) {
    await page.setViewportSize(viewport)
    await page.evaluate(choose, colorScheme)
    await prepare?.()
    await page.evaluate(atRest)
    if (folder) {
      await mkdir(folder, { recursive: true })
      await page.screenshot({ path: join(folder, `${name}-${view}.png`) })
    }
    // The other mode opens a page of its own for each analysis, which is for frames of other origins: there are none.
    // A hint fades in half a second after the pointer came to rest: caught half-way it has any contrast.
    const axe = new AxeBuilder({ page }).withTags(wcag).exclude('.MuiTooltip-popper').setLegacyMode(true)
    const { violations } = await axe.analyze()
    for (const { id, nodes } of violations)
      faults.push(`${name} ${view}: ${id} ${nodes.map(({ html }) => html).join(' ')}`)
  }
  await page.setViewportSize(desktop)
  await page.evaluate(choose, 'light')
  return faults
}

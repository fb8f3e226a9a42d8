import { expect, it } from 'vitest'
import { bytesWithoutPictures, loadPage } from '../page-load.ts'
import { openWindow } from '../stage.ts'
import type { OnStage } from './screens-stage.ts'

export const landingPage = (on: OnStage) => {
  it.each([
    { view: 'desktop', phone: false },
    { view: '390 px', phone: true },
  ])('shows the landing page ($view) without a script, in less than 60 kB, and nothing moves', async ({ phone }) => {
    const window = await openWindow(on(), { phone })
    const loaded = await loadPage(window.page, on().product.url)
    await window.close()
    expect(loaded.bytes.script).toBe(0)
    expect(loaded.scriptBytesBeforePaint).toBe(0)
    expect(bytesWithoutPictures(loaded)).toBeLessThan(60_000)
    expect(loaded.bytes.picture).toBeGreaterThan(0)
    expect(loaded.layoutShift).toBe(0)
    expect(loaded.firstPaintMs).toBeGreaterThan(0)
  })

  it('is where visitors begin, and where no other screen is', async () => {
    const { page, product, sees } = on()
    await page.goto(`${product.url}/nao-existe`)
    await page.getByRole('link', { name: 'Ver Demonstração' }).waitFor()
    await page.goto(product.url)
    await page.getByRole('link', { name: 'Ver Demonstração' }).waitFor()
    await sees('screen-landing')
  })
}

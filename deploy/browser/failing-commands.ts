import { refusals } from '@prosa/contracts/refusals'
import type { Page, Route } from 'playwright-core'

/** While `use` runs, whatever a page asks to be done below this address fails inside Prosa; reading goes on. */
export const whileFailing = async (page: Page, address: RegExp, use: () => Promise<void>) => {
  const { status, title } = refusals.unexpected
  const handle = (route: Route) => {
    if (route.request().method() === 'GET') return route.fallback()
    return route.fulfill({
      status,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: 'unexpected', title, status }),
    })
  }
  await page.route(address, handle)
  await use()
  await page.unroute(address, handle)
}

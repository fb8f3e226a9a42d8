import { refusals } from '@prosa/contracts/refusals'
import type { Page, Route } from 'playwright-core'

interface HeldReading {
  fail(): Promise<void>
  letGo(): Promise<void>
}

/** As the server answers what it cannot read. Without an answer the page would try again for half a minute, which is a promise of its own. */
const failed = {
  status: 500,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'unexpected', ...refusals.unexpected }),
}

export const holdReading = async (page: Page, address: RegExp): Promise<HeldReading> => {
  let isFailing = false
  const waiting: Route[] = []
  const handle = async (route: Route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    if (isFailing) return route.fulfill(failed)
    waiting.push(route)
  }
  await page.route(address, handle)
  return {
    async fail() {
      isFailing = true
      await Promise.all(waiting.splice(0).map((route) => route.fulfill(failed)))
    },
    letGo: () => page.unroute(address, handle),
  }
}

import type { Page, Route } from 'playwright-core'

interface HeldReading {
  fail(): Promise<void>
  letGo(): Promise<void>
}

export const holdReading = async (page: Page, address: RegExp): Promise<HeldReading> => {
  let isFailing = false
  const waiting: Route[] = []
  const handle = async (route: Route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    if (isFailing) return route.abort()
    waiting.push(route)
  }
  await page.route(address, handle)
  return {
    async fail() {
      isFailing = true
      await Promise.all(waiting.splice(0).map((route) => route.abort()))
    },
    letGo: () => page.unroute(address, handle),
  }
}

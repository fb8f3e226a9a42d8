import { defaultPlanRules, type PlanRules } from '@prosa/product/entitlements/plan-rules'
import type { Locator } from 'playwright-core'
import type { Visitor } from '../../test/visitor.ts'
import { isLongWalk } from '../long-walk.ts'
import { addPhone, type SimulatedPerson } from '../simulated-phone.ts'
import { openStage, type Stage, screenOf } from '../stage.ts'

/** Rate limits of production. */
export interface ScreensStage extends Stage {
  marina: Visitor
  rita: Visitor
  shop: SimulatedPerson
  ana: SimulatedPerson
  /** Navigates without a page load, which costs a second. */
  visit(path: string, heading?: string): Promise<void>
  toast(text: string | RegExp): Locator
  closeToast(): Promise<void>
}

/** Rules of production and a plan with small limits. */
const planRules: PlanRules = {
  ...defaultPlanRules,
  limits: { ...defaultPlanRules.limits, pro: { messages: 2, connections: 4 } },
}

export const openScreensStage = async (): Promise<ScreensStage> => {
  const stage = await openStage({ planRules, limitScale: 1 })
  const { page, product } = stage
  const [marina, rita] = [product.visitor(), product.visitor()]
  await marina.register()
  await rita.register()
  const [shop, ana] = await Promise.all([
    addPhone(product.url, 'Padaria Sol', '11900000001'),
    addPhone(product.url, 'Ana Souza', '11988776655'),
  ])
  const screen = screenOf(page, isLongWalk)
  const toasts = page.getByRole('region', { name: /^Avisos/ })
  return {
    ...stage,
    ...screen,
    ...{ marina, rita, shop, ana },
    async visit(path, heading) {
      await page.evaluate((to) => {
        history.pushState(null, '', to)
        dispatchEvent(new PopStateEvent('popstate'))
      }, path)
      if (heading) await page.getByRole('heading', { name: heading, exact: true }).first().waitFor()
      await page.waitForFunction(
        () => document.querySelector('main') && !document.querySelector('.MuiSkeleton-root, .loading-screen'),
      )
    },
    toast: (text) => toasts.getByText(text).first(),
    async closeToast() {
      const close = toasts.getByRole('button', { name: 'Fechar aviso' })
      await close.click()
      await close.waitFor({ state: 'detached' })
    },
  }
}

export type OnStage = () => ScreensStage

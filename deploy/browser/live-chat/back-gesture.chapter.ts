import { until } from '@prosa/kernel/testing/until'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { OnStage } from './chat-stage.ts'
import { storedPast } from './stored-past.ts'

const swipeMoves = 12
const phone = { width: 390, height: 844 }
const customers = Array.from({ length: 16 }, (_, index) => `Cliente ${String.fromCharCode(65 + index)}`)

/** A finger on the page, for as long as `use` takes. */
const withFinger = async (page: Page, use: (finger: Finger) => Promise<void>) => {
  const screen = await page.context().newCDPSession(page)
  const middleOf = async (element: Locator) => {
    const box = await element.boundingBox()
    if (!box) throw new Error(`${element} is not in view`)
    return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) }
  }
  await screen.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 1 })
  await page.setViewportSize(phone)
  await use({
    async tap(element) {
      await element.waitFor()
      const point = await middleOf(element)
      await screen.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
      await screen.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    },
    async swipe(element, distance) {
      const { x, y } = await middleOf(element)
      const from = y - distance / 2
      // How long the content glides depends on how busy the machine is; what is at its end already does not move.
      const atRest = await element.evaluateHandle((scrolled, down) => {
        const left = down ? scrolled.scrollTop : scrolled.scrollHeight - scrolled.clientHeight - scrolled.scrollTop
        if (left < 1) return { ended: Promise.resolve() }
        return {
          ended: new Promise<void>((done) => scrolled.addEventListener('scrollend', () => done(), { once: true })),
        }
      }, distance > 0)
      await screen.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y: from }] })
      for (let moves = 1; moves <= swipeMoves; moves++) {
        const point = { x, y: from + (distance * moves) / swipeMoves }
        await screen.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] })
      }
      await screen.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      await atRest.evaluate(({ ended }) => ended)
    },
  })
  await screen.send('Emulation.setTouchEmulationEnabled', { enabled: false })
  await screen.detach()
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** Whether the element is there, with its middle where the list shows it: a virtual list also has some that are not yet in view. */
const isShown = async (element: Locator, list: Locator): Promise<boolean> => {
  if ((await element.count()) === 0) return false
  const [box, view] = [await element.boundingBox(), await list.boundingBox()]
  if (!box || !view) return false
  const middle = box.y + box.height / 2
  return middle > view.y && middle < view.y + view.height
}

interface Finger {
  tap(element: Locator): Promise<void>
  /** Draws the content by so many px: down is positive. */
  swipe(element: Locator, distance: number): Promise<void>
}

/** Leaves live chat with its list, wide again. */
export const backGesture = (on: OnStage) => {
  it('goes back with the gesture of the phone: details, conversation, list, and forward again', async () => {
    const { page, product, marina, button, composer, row, bubble, pictures } = on()
    const past = await storedPast(product, marina)
    for (const [index, name] of customers.entries()) await past.contact(name, `${5511950000000 + index}`)
    await withFinger(page, async ({ tap, swipe }) => {
      await page.goto(`${product.url}/live-chat`)
      await tap(page.getByRole('tab', { name: 'Resolvidos' }))
      const list = page.getByRole('listbox', { name: 'Resolvidos' })
      await row('Cliente P').waitFor()
      const history = page.getByRole('group', { name: 'Conversa com Elisa Prado' })
      const details = page.getByRole('complementary', { name: 'Detalhes do contato' })
      const topOf = (element: Locator) => element.evaluate(({ scrollTop }) => Math.round(scrollTop))

      // How far a finger throws a list depends on how many of its moves a busy machine sees.
      await until(async () => {
        if (await isShown(row('Elisa Prado'), list)) return true
        await swipe(list, -420)
        return false
      })
      const listTop = await topOf(list)
      expect(listTop).toBeGreaterThan(100)
      await tap(row('Elisa Prado'))
      await bubble('Recado 419').waitFor()
      await composer().fill('Elisa, volto já')
      await swipe(history, 500)
      await until(async () => (await bubble('Recado 419').isVisible()) === false || (await topOf(history)) > 0)
      const historyTop = await topOf(history)

      await tap(button('Detalhes do contato'))
      await details.waitFor()
      await pictures('chat-39-phone-details')
      await page.setViewportSize(phone)
      await page.goBack()
      await details.waitFor({ state: 'detached' })
      expect(await topOf(history)).toBe(historyTop)
      expect(await composer().inputValue()).toBe('Elisa, volto já')
      await page.goBack()
      await row('Elisa Prado').getByText('Rascunho:').waitFor()
      expect(await topOf(list)).toBe(listTop)
      expect(await history.count()).toBe(0)
      await pictures('chat-40-phone-list')
      await page.setViewportSize(phone)

      await page.goForward()
      await bubble('Recado 419').waitFor()
      expect(await composer().inputValue()).toBe('Elisa, volto já')
      await page.goForward()
      await details.waitFor()
      await tap(button('Fechar detalhes'))
      await details.waitFor({ state: 'detached' })
      await tap(button('Voltar para as conversas'))
      await row('Elisa Prado').waitFor()
      expect(new URL(page.url()).search).toBe('')
    })
  })
}

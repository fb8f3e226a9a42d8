import { setTimeout as delay } from 'node:timers/promises'
import { until } from '@prosa/kernel/testing/until'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { OnStage } from './chat-stage.ts'
import { lastOfPast } from './far-away.chapter.ts'
import { storedPast } from './stored-past.ts'

const swipeMoves = 12
/** The finger rests before it lifts, because inertial scrolling depends on the machine's load. */
const fingerRestsMs = 100
const phone = { width: 390, height: 844 }
const customers = Array.from({ length: 16 }, (_, index) => `Cliente ${String.fromCharCode(65 + index)}`)

const settled = async <T>(ask: () => Promise<T>): Promise<T> => {
  let before: T | undefined
  const { answer } = await until(async () => {
    const answer = await ask()
    const isSame = JSON.stringify(answer) === JSON.stringify(before)
    before = answer
    return isSame && { answer }
  })
  return answer
}

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
      const point = await settled(() => middleOf(element))
      await screen.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
      await screen.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    },
    async swipe(element, distance) {
      const { x, y } = await middleOf(element)
      const from = y - distance / 2
      const left = await element.evaluate(
        ({ scrollTop, scrollHeight, clientHeight }, down) =>
          down ? scrollTop : scrollHeight - clientHeight - scrollTop,
        distance > 0,
      )
      await screen.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y: from }] })
      for (let moves = 1; moves <= swipeMoves; moves++) {
        const point = { x, y: from + (distance * moves) / swipeMoves }
        await screen.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] })
      }
      await delay(fingerRestsMs)
      const atRest = await element.evaluateHandle((scrolled) => ({
        ended: new Promise<void>((done) => scrolled.addEventListener('scrollend', () => done(), { once: true })),
      }))
      await screen.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      if (left >= 1) await atRest.evaluate(({ ended }) => ended)
    },
  })
  await screen.send('Emulation.setTouchEmulationEnabled', { enabled: false })
  await screen.detach()
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** A virtual list also renders rows out of view. */
const isShown = async (element: Locator, list: Locator): Promise<boolean> => {
  if ((await element.count()) === 0) return false
  const [box, view] = [await element.boundingBox(), await list.boundingBox()]
  if (!box || !view) return false
  const middle = box.y + box.height / 2
  return middle > view.y && middle < view.y + view.height
}

/** Scrolls until the list cuts a third off the row: pressing it must not scroll. */
const cutOff = async (row: Locator, list: Locator) => {
  const [box, view] = [await row.boundingBox(), await list.boundingBox()]
  if (!box || !view) throw new Error('neither the row nor the list is in view')
  const hidden = box.y + box.height - (view.y + view.height)
  await list.evaluate((scrolled, further) => scrolled.scrollBy(0, further), Math.round(hidden - box.height / 3))
  await until(() => row.locator('..').evaluate((place: HTMLElement) => place.style.transition !== ''))
}

interface Finger {
  tap(element: Locator): Promise<void>
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

      await until(async () => {
        if (await isShown(row('Elisa Prado'), list)) return true
        await swipe(list, -420)
        return false
      })
      await cutOff(row('Elisa Prado'), list)
      const listTop = await topOf(list)
      expect(listTop).toBeGreaterThan(100)
      await tap(row('Elisa Prado'))
      await bubble(lastOfPast).waitFor()
      await composer().fill('Elisa, volto já')
      await swipe(history, 500)
      await until(async () => (await bubble(lastOfPast).isVisible()) === false || (await topOf(history)) > 0)
      const historyTop = await settled(() => topOf(history))

      await tap(button('Detalhes do contato'))
      await details.waitFor()
      await pictures('chat-39-phone-details')
      await page.setViewportSize(phone)
      await page.goBack()
      await details.waitFor({ state: 'detached' })
      await expect.poll(() => topOf(history)).toBe(historyTop)
      expect(await composer().inputValue()).toBe('Elisa, volto já')
      await page.goBack()
      await row('Elisa Prado').getByText('Rascunho:').waitFor()
      await expect.poll(() => topOf(list)).toBe(listTop)
      expect(await history.count()).toBe(0)
      await pictures('chat-40-phone-list')
      await page.setViewportSize(phone)

      await page.goForward()
      await bubble(lastOfPast).waitFor()
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

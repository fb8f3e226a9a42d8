import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { isLongWalk } from '../long-walk.ts'
import type { OnStage } from './chat-stage.ts'
import { storedPast } from './stored-past.ts'

const longText = 'Dois quilos de pão francês, um bolo de fubá sem cobertura e, se der tempo, as broas de milho. '
/** More than are loaded at a time: on the way pages are let go of and read again. */
const amount = isLongWalk ? 900 : 600
const pastTexts = Array.from({ length: amount }, (_, index) => {
  if (index === 0) return 'Bom dia, aqui é a Elisa'
  if (index === 150) return 'Lembra da encomenda de jabuticaba?'
  return `Recado ${index}. ${longText.repeat(index % 7 === 0 ? 4 : index % 2)}`
})

export const lastOfPast = `Recado ${amount - 1}`

const isMarked = (text: string) =>
  [...document.querySelectorAll('[role="log"] [id^="message-"]')].some(
    (message) => message.textContent.includes(text) && getComputedStyle(message).backgroundColor !== 'rgba(0, 0, 0, 0)',
  )

/**
 * Movement of visible messages between painted frames, in px, down positive. Read in an observer, because new rows are measured after
 * animation callbacks.
 */
const watchMoves = (page: Page) =>
  page.evaluate(() => {
    const state = { moves: [] as number[], isWatching: true, wheels: 0 }
    addEventListener('wheel', () => void state.wheels++, { capture: true, passive: true })
    let before = new Map<string, number>()
    const look = () => {
      const log = document.querySelector('[role="log"]')
      const frame = new IntersectionObserver(
        (notes) => {
          frame.disconnect()
          const first = notes.filter(({ target }, index) => notes.findIndex((note) => note.target === target) === index)
          const inView = first.filter(({ isIntersecting }) => isIntersecting)
          const now = new Map(inView.map(({ target, boundingClientRect }) => [target.id, boundingClientRect.top]))
          const stayed = [...now].flatMap(([id, top]) => {
            const was = before.get(id)
            return was === undefined ? [] : [top - was]
          })
          // No message stayed in view: an unlimited jump.
          state.moves.push(...(stayed.length > 0 || before.size === 0 ? stayed : [Number.MAX_SAFE_INTEGER]))
          before = now
        },
        { root: log?.parentElement ?? null },
      )
      for (const message of log?.querySelectorAll('[id^="message-"]') ?? []) frame.observe(message)
      if (state.isWatching) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    Object.assign(globalThis, { watchedMoves: state })
  })

const farthestMoves = (page: Page) =>
  page.evaluate(() => {
    const state: { moves: number[]; isWatching: boolean } = Reflect.get(globalThis, 'watchedMoves')
    state.isWatching = false
    return { up: Math.min(0, ...state.moves), down: Math.max(0, ...state.moves) }
  })

/** On a busy machine a wheel takes effect frames later, after the jump that follows the last one. */
const wheelBy = async (page: Page, delta: number) => {
  const wheels = () => page.evaluate((): number => Reflect.get(globalThis, 'watchedMoves').wheels)
  const before = await wheels()
  await page.mouse.wheel(0, delta)
  await expect.poll(wheels).toBeGreaterThan(before)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** Wheels that the compositor has not carried out yet would move what comes next. */
const stoodStill = async (view: Element) => {
  let [top, frames] = [-1, 0]
  while (frames < 20) {
    await new Promise(requestAnimationFrame)
    frames = view.scrollTop === top ? frames + 1 : 0
    top = view.scrollTop
  }
}

const step = 480
/** Rows that are measured on scrolling into view may shift the rest this much, in px. */
const tolerance = 24

/** Leaves Elisa's resolved conversation open and the search empty. */
export const farAway = (on: OnStage) => {
  it('opens a message from long ago at its place, leads on both ways without a jump, and back to now', async () => {
    const { page, product, marina, bubble, button, pictures } = on()
    const past = await storedPast(product, marina)
    const [connection] = await marina.connections()
    await past.messages(await past.contact('Elisa Prado', '5551988112233'), connection?.id ?? '', pastTexts)
    await page.getByRole('combobox', { name: 'Buscar atendimento e mensagens' }).fill('jabuticaba')
    const result = page
      .getByRole('listbox', { name: 'Resultados da busca' })
      .getByRole('option')
      .filter({ hasText: 'encomenda de jabuticaba' })
    const place = bubble('encomenda de jabuticaba')
    const history = page.getByRole('group', { name: 'Conversa com Elisa Prado' })
    const goThere = async () => {
      await Promise.all([page.waitForFunction(isMarked, 'encomenda de jabuticaba'), result.click()])
      const fromMiddle = async () => {
        const [view, box] = [await history.boundingBox(), await place.boundingBox()]
        return view && box && Math.abs(box.y + box.height / 2 - (view.y + view.height / 2)) / view.height
      }
      await expect.poll(fromMiddle).toBeLessThan(1 / 4)
    }
    const wheelTo = async (text: string, delta: number) => {
      await history.hover()
      await watchMoves(page)
      for (let turns = 0; !(await bubble(text).isVisible()); turns++) {
        if (turns > 800) throw new Error(`scrolling does not lead to ${text}`)
        await wheelBy(page, delta)
      }
      await history.evaluate(stoodStill)
      return farthestMoves(page)
    }

    await goThere()
    await pictures('chat-38-far-away', async () => {
      if (await result.isVisible()) await result.click()
    })
    const upwards = await wheelTo('Bom dia, aqui é a Elisa', -step)
    await goThere()
    const downwards = await wheelTo(lastOfPast, step)
    expect.soft(upwards.up).toBeGreaterThanOrEqual(-tolerance)
    expect.soft(upwards.down).toBeLessThanOrEqual(step + tolerance)
    expect.soft(upwards.down).toBeGreaterThan(0)
    expect.soft(downwards.down).toBeLessThanOrEqual(tolerance)
    expect.soft(downwards.up).toBeGreaterThanOrEqual(-step - tolerance)
    expect.soft(downwards.up).toBeLessThan(0)

    await goThere()
    await button(/^(Mensagens recentes|\d+ novas mensagens)/).click()
    await bubble(lastOfPast).waitFor()
    await button('Limpar busca').click()
  })

  if (isLongWalk)
    it('leaves what is read where it stands on the screen while a banner comes and goes above it', async () => {
      const { page, row, log, button } = on()
      await page.getByRole('tab', { name: /^Resolvidos/ }).click()
      await row('Elisa Prado').click()
      await log().getByText(lastOfPast).waitFor()
      await page.getByRole('group', { name: 'Conversa com Elisa Prado' }).hover()
      await page.mouse.wheel(0, -3 * step)
      // Only then it has scrolled, and rows near the end are gone.
      await button('Mensagens recentes').waitFor()
      const all = log().locator('[id^="message-"]')
      await expect.poll(() => all.count()).toBeGreaterThan(10)
      const id = await all.nth((await all.count()) >> 1).getAttribute('id')
      const place = async () => Math.round((await log().locator(`[id="${id}"]`).boundingBox())?.y ?? 0)
      const settled = async () => {
        const before = await place()
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
        return before === (await place())
      }
      await expect.poll(settled).toBe(true)
      const before = await place()
      await page.context().setOffline(true)
      await page.getByText('Você está sem internet').waitFor()
      expect(await place()).toBe(before)
      await page.context().setOffline(false)
      await page.getByText('Conexão restabelecida').waitFor()
      await page.getByText('Conexão restabelecida').waitFor({ state: 'detached' })
      expect(await place()).toBe(before)
    })
}

import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWhySituations, type WhySituation } from '../test/why-situations.ts'
import { noChromium } from './chromium.ts'
import { isLongWalk } from './long-walk.ts'
import { sayWhy } from './say-why.ts'
import { signIn } from './sign-in.ts'
import { openStage, type Stage } from './stage.ts'

/** From the open panel: a tab, a search, the button, and the purpose of reading an account. */
const maxPresses = 4

/** `deploy/test/why.test.ts` asks all of them without a browser. */
describe.skipIf(noChromium || !isLongWalk)(`“Por quê?” in the panel${noChromium}`, { timeout: 600_000 }, () => {
  let stage: Stage
  let situations: readonly WhySituation[]
  beforeAll(async () => {
    stage = await openStage({ limitScale: 1000 })
    const made = await makeWhySituations(stage.product, shortOrLong(1, 2))
    situations = made.situations
    await signIn(stage.page, made.admin)
    await stage.page.goto(`${stage.product.url}/admin`)
    await sayWhy(stage)
  }, 300_000)
  afterAll(() => stage?.close())

  const backToUsers = async () => {
    const { page } = stage
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Usuários' }).click()
    await expect.poll(() => page.getByRole('searchbox').first().inputValue()).toBe('')
  }

  /** Returns the presses, and leaves the answer open. */
  const openAnswer = async ({ tab, search, button }: WhySituation): Promise<number> => {
    const { page, dialog } = stage
    let presses = 0
    if (tab !== 'Usuários') {
      await page.getByRole('tab', { name: tab }).click()
      presses++
    }
    const panel = page.getByRole('tabpanel', { name: tab })
    await panel.getByRole('row').nth(1).waitFor()
    const box = panel.getByRole('searchbox')
    if (await box.isVisible()) {
      await box.fill(search)
      presses++
    }
    await panel.getByRole('row').filter({ hasText: search }).first().getByRole('button', { name: button }).click()
    presses++
    const asking = dialog('Por que você precisa ver estes dados?')
    const answer = page.getByRole('dialog').filter({ hasText: 'Por causa de' })
    await asking.or(answer).first().waitFor()
    if (await asking.isVisible()) {
      // The purpose that was stated for the panel is chosen.
      await asking.getByRole('button', { name: 'Ver dados' }).click()
      presses++
    }
    await answer.waitFor()
    return presses
  }

  const readFacts = () =>
    stage.page
      .getByRole('dialog')
      .locator('dl')
      .evaluate((list) => {
        const facts: Record<string, string> = {}
        for (const term of list.querySelectorAll('dt'))
          facts[term.innerText] = (term.nextElementSibling as HTMLElement).innerText
        return facts
      })

  it(`answers each situation from the panel alone, in at most ${maxPresses} presses`, async () => {
    const presses: number[] = []
    for (const situation of situations) {
      await backToUsers()
      const needed = await openAnswer(situation)
      presses.push(needed)
      const facts = await readFacts()
      const { about, actor, cause, rule, after } = situation
      expect.soft({ about, ...facts }).toMatchObject({
        about,
        Quem: expect.stringMatching(actor),
        Quando: expect.stringMatching(/\d\d:\d\d/),
        'Por causa de': expect.stringMatching(cause),
        Regra: expect.stringMatching(rule),
        Antes: expect.stringMatching(/./),
        Depois: expect.stringMatching(after),
      })
      expect.soft(facts.Antes, about).not.toBe(facts.Depois)
      expect.soft(needed, about).toBeLessThanOrEqual(maxPresses)
    }
    const sorts = new Set(situations.map(({ sort }) => sort)).size
    expect(situations.length).toBeGreaterThanOrEqual(shortOrLong(15, 30))
    expect(sorts).toBeGreaterThanOrEqual(10)
    noteMeasurements('“Por quê?” in the panel', {
      situations: situations.length,
      sorts,
      maxPresses: Math.max(...presses),
      presses: presses.reduce((sum, each) => sum + each, 0),
    })
  })

  it('looks well', async () => {
    const { page, product } = stage
    for (const sort of ['paid', 'reopened', 'tick']) {
      const situation = situations.find((each) => each.sort === sort)
      if (!situation) throw new Error(`no situation of ${sort}`)
      await backToUsers()
      await openAnswer(situation)
      await stage.sees(`why-01-${sort}`)
    }
    for (const [name, tab] of [
      ['contacts', 'contatos'],
      ['transactions', 'transacoes'],
      ['history', 'historico'],
    ] as const) {
      await page.goto(`${product.url}/admin?aba=${tab}`)
      await page
        .getByRole('tabpanel')
        .getByRole(name === 'history' ? 'list' : 'row')
        .nth(1)
        .waitFor()
      await stage.sees(`why-02-${name}`)
    }
    await page.getByText('Recusas').click()
    await page
      .getByText(/Nada foi recusado|vez/)
      .first()
      .waitFor()
    await stage.sees('why-03-refused')
  })
})

import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { WhySituation } from '../test/why-situations.ts'
import type { Screen } from './stage.ts'

/** From the open panel: a tab, a search, the button, and the purpose of reading an account. */
export const maxPresses = 4

const backToUsers = async ({ page }: Screen) => {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'Usuários' }).click()
}

/** Rows of before go once the search begins, and with them what was opened from them. */
const searchFor = async (page: Page, box: Locator, search: string) => {
  if ((await box.inputValue()) === search) return
  const found = page.waitForResponse((reply) => reply.url().endsWith('/search') && reply.ok())
  await box.fill(search)
  await found
}

/** Returns the presses, and leaves the answer open. */
const openAnswer = async ({ page, dialog }: Screen, { tab, search, button }: WhySituation): Promise<number> => {
  let presses = 0
  if (tab !== 'Usuários') {
    await page.getByRole('tab', { name: tab }).click()
    presses++
  }
  const panel = page.getByRole('tabpanel', { name: tab })
  await panel.getByRole('row').nth(1).waitFor()
  const box = panel.getByRole('searchbox').first()
  if (await box.isVisible()) {
    await searchFor(page, box, search)
    presses++
  }
  await panel.getByRole('row').filter({ hasText: search }).first().getByRole('button', { name: button }).click()
  presses++
  const asking = dialog('Por que você precisa ver estes dados?')
  const answer = page.getByRole('dialog').filter({ hasText: 'Por causa de' })
  await asking.or(answer).first().waitFor()
  if (await asking.isVisible()) {
    await asking.getByRole('button', { name: 'O mesmo motivo: Investigar uma falha' }).click()
    presses++
  }
  await answer.waitFor()
  return presses
}

const readFacts = ({ page }: Screen) =>
  page
    .getByRole('dialog')
    .locator('dl')
    .evaluate((list) => {
      const facts: Record<string, string> = {}
      for (const term of list.querySelectorAll('dt'))
        facts[term.innerText] = (term.nextElementSibling as HTMLElement).innerText
      return facts
    })

/** Begins on the open panel, after its purpose was stated. Returns the presses, and leaves the answer open. */
export const answerInPanel = async (screen: Screen, situation: WhySituation): Promise<number> => {
  await backToUsers(screen)
  const presses = await openAnswer(screen, situation)
  const facts = await readFacts(screen)
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
  expect.soft(presses, about).toBeLessThanOrEqual(maxPresses)
  return presses
}

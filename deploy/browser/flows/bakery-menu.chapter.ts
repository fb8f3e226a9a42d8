import type { Flow, FlowDetail } from '@prosa/contracts/http/flows'
import { until } from '@prosa/kernel/testing/until'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Visitor } from '../../test/visitor.ts'
import { signIn } from '../sign-in.ts'
import type { SimulatedPerson } from '../simulated-phone.ts'
import { openWindow, type Stage } from '../stage.ts'

export interface Bakery {
  stage: Stage
  marina: Visitor
  shop: SimulatedPerson
  ana: SimulatedPerson
}

const greeting = 'Bom dia! Aqui é a Padaria Sol.'
const question = 'O que você quer?'
const options = ['Bolo', 'Pão', 'Falar com a gente']
const answers = { Bolo: 'Bolo de nozes, R$ 40.', Pão: 'Pão quentinho às 16h.' }
/** Of a script that waits for each screen; 263 s before. */
const maxMs = 90_000
const maxSteps = 6

/** How one opens a step, adds one behind an output of it, and writes into the properties. */
interface Hands {
  openStep(text: string): Promise<void>
  addBehind(text: string, output: string, type: string): Promise<void>
  write(label: string, text: string): Promise<void>
  press(name: string): Promise<void>
  leave(): Promise<void>
}

const step = (page: Page, text: string) => page.locator('[data-step]').filter({ hasText: text }).first()
const panelOf = (page: Page) =>
  page.getByRole('complementary', { name: 'Propriedades' }).or(page.getByRole('dialog', { name: 'Propriedades' }))

/** In the drawing. */
const byMouse = (page: Page): Hands => ({
  openStep: (text) => step(page, text).click(),
  async addBehind(text, _, type) {
    await step(page, text).click()
    await page
      .getByRole('complementary', { name: 'Elementos e ações' })
      .getByRole('button', { name: type, exact: true })
      .click()
  },
  write: (label, text) => panelOf(page).getByLabel(label, { exact: true }).fill(text),
  press: (name) => panelOf(page).getByRole('button', { name }).click(),
  leave: () => page.keyboard.press('Escape'),
})

/** Tab until the element has the focus, and nothing but keys. */
const tabTo = async (page: Page, selector: string, text: string) => {
  for (let presses = 0; presses < 150; presses++) {
    const isThere = await page.evaluate(
      ([selector, text]) => {
        const active = document.activeElement
        const named = `${active?.getAttribute('aria-label') ?? ''} ${active?.textContent ?? ''} ${
          active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement
            ? [...(active.labels ?? [])].map((label) => label.textContent).join(' ')
            : ''
        }`
        return active?.matches(selector ?? '') === true && named.includes(text ?? '')
      },
      [selector, text],
    )
    if (isThere) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the focus never came to ${text}`)
}

const typeKeys: Record<string, string> = { Mensagem: '2', Menu: '9', Transferir: '7' }

const byKeys = (page: Page): Hands => ({
  async openStep(text) {
    await tabTo(page, '[data-step]', text)
    await page.keyboard.press('Enter')
    await panelOf(page).waitFor()
  },
  async addBehind(text, _, type) {
    await tabTo(page, '[data-step]', text)
    await page.keyboard.press(typeKeys[type] ?? '')
    await page.waitForFunction((type) => document.activeElement?.textContent?.includes(type), type)
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.matches('input, textarea, select'))
  },
  async write(label, text) {
    await tabTo(page, 'input, textarea', label)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText(text)
  },
  async press(name) {
    await tabTo(page, 'button', name)
    await page.keyboard.press('Enter')
  },
  leave: () => page.keyboard.press('Escape'),
})

/** On a phone: the list, and the properties over it. */
const onPhone = (page: Page): Hands => ({
  openStep: (text) => step(page, text).click(),
  async addBehind(text, output, type) {
    const item = page.getByRole('listitem').filter({ has: page.locator('[data-step]').filter({ hasText: text }) })
    await item.getByRole('button', { name: `Adicionar em “${output}”` }).click()
    await page.getByRole('menuitem', { name: type, exact: true }).click()
    await panelOf(page).waitFor()
  },
  write: (label, text) => panelOf(page).getByLabel(label, { exact: true }).fill(text),
  press: (name) => panelOf(page).getByRole('button', { name }).click(),
  leave: () => page.getByRole('button', { name: 'Fechar Propriedades' }).click(),
})

const build = async ({ page, button }: Stage, hands: Hands) => {
  await hands.openStep('Recebemos a sua mensagem')
  await hands.write('Mensagem', greeting)
  await hands.leave()
  await hands.addBehind(greeting, 'Depois', 'Menu')
  await hands.write('Texto', question)
  for (const [at, option] of options.entries()) {
    if (at === 2) await hands.press('Adicionar opção')
    await hands.write(`Opção ${at + 1}`, option)
  }
  await hands.leave()
  for (const [option, answer] of Object.entries(answers)) {
    await hands.addBehind(question, option, 'Mensagem')
    await hands.write('Mensagem', answer)
    await hands.leave()
  }
  await hands.addBehind(question, 'Falar com a gente', 'Transferir')
  await hands.leave()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog', { name: 'Publicar a versão 1' }).getByText('Nada a corrigir.').waitFor()
  await button('Publicar agora').click()
  await page.getByText('Fluxo publicado').waitFor()
}

const ways = { 'the mouse': byMouse, keys: byKeys, 'a phone of 390 px': onPhone } as const

/** The menu of a bakery is built from a new flow, and answers a person. */
export const bakeryMenu = (bakery: () => Bakery, chosen: readonly (keyof typeof ways)[]) => {
  it.each(chosen)(`a menu of three is built from nothing by %s in ${maxSteps} steps and published`, async (way) => {
    const { stage, marina, shop, ana } = bakery()
    const isPhone = way === 'a phone of 390 px'
    const screen = isPhone ? await openWindow(stage, { phone: true }) : stage
    const { page } = screen
    if (isPhone) await signIn(page, marina)
    const { id } = await marina.post<Flow>('/api/flows', { name: `Cardápio por ${way}` })
    const began = Date.now()
    await page.goto(`${stage.product.url}/flow-editor/${id}`)
    await step(page, 'Recebemos a sua mensagem').waitFor()
    await build(screen, ways[way](page))
    expect(Date.now() - began).toBeLessThan(maxMs)
    const flow = await marina.get<FlowDetail>(`/api/flows/${id}`)
    expect(flow.document.nodes.length).toBeLessThanOrEqual(maxSteps)
    await screen.pictures(`flows-bakery-${isPhone ? 'phone' : way === 'keys' ? 'keys' : 'mouse'}`)
    const before = (await ana.messages(shop.number)).length
    const receives = (text: string) =>
      until(async () => (await ana.messages(shop.number)).slice(before).some((message) => message.text?.includes(text)))
    await ana.write(shop.number, 'oi')
    await receives(question)
    await ana.write(shop.number, '2')
    await receives(answers.Pão)
    await marina.ask('PUT', `/api/flows/${id}/on`, { isOn: false })
    if (isPhone) await screen.close()
  })
}

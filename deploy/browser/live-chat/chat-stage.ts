import type { Locator } from 'playwright-core'
import type { Visitor } from '../../test/visitor.ts'
import type { WindowOptions } from '../chromium.ts'
import { signIn } from '../sign-in.ts'
import { addPhone, type SimulatedPerson } from '../simulated-phone.ts'
import { openStage, openWindow, type Stage, type StageOptions } from '../stage.ts'
import { type Line, lineOf } from './line.ts'

export interface ChatStage extends Stage {
  marina: Visitor
  line: Line
  shop: SimulatedPerson
  ana: SimulatedPerson
  bruno: SimulatedPerson
  clara: SimulatedPerson
  row(name: string): Locator
  log(): Locator
  bubble(text: string | RegExp): Locator
  composer(): Locator
  send(text: string): Promise<void>
}

export const openChatStage = async (options?: StageOptions): Promise<ChatStage> => chatOn(await openStage(options), 0)

/** A shop with other numbers in a window of its own, on the same product. */
export const openChatWindow = async (stage: Stage, bakery: number, options?: WindowOptions): Promise<ChatStage> =>
  chatOn(await openWindow(stage, options), bakery)

const chatOn = async (stage: Stage, bakery: number): Promise<ChatStage> => {
  const { page, product } = stage
  const line = await lineOf(page)
  const marina = await product.visitor().register()
  await signIn(page, marina)
  const [shop, ana, bruno, clara] = await Promise.all([
    addPhone(product.url, 'Padaria Sol', `1190000000${1 + bakery}`),
    addPhone(product.url, 'Ana Souza', `1198877665${(5 + bakery) % 10}`),
    addPhone(product.url, 'Bruno Lima', `2198765432${1 + bakery}`),
    addPhone(product.url, 'Clara Dias', `3199123456${(7 + bakery) % 10}`),
  ])
  const log = () => page.getByRole('log')
  const composer = () => page.getByPlaceholder(/^Digite uma mensagem/)
  return {
    ...stage,
    ...{ marina, line, shop, ana, bruno, clara, log, composer },
    row: (name) => page.getByRole('listbox').getByRole('option', { name }),
    bubble: (text) => log().locator('[id^="message-"]').filter({ hasText: text }).last(),
    async send(text) {
      await composer().fill(text)
      await composer().press('Enter')
    },
  }
}

export type OnStage = () => ChatStage

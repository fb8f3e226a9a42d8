import type { Flow } from '@prosa/contracts/http/flows'
import { localTimeAt } from '@prosa/contracts/values/time/local-time'
import { defaultTimeZone } from '@prosa/contracts/values/time/time-zone'
import { until } from '@prosa/kernel/testing/until'
import { expect, it } from 'vitest'
import { sayWhy } from '../say-why.ts'
import { addPhone } from '../simulated-phone.ts'
import type { OnStage } from './office.ts'

const weekdays = ['Domingo', 'Segunda-feira', 'Terça-feira', 'Quarta-feira', 'Quinta-feira', 'Sexta-feira', 'Sábado']
const always = [{ from: '00:00', to: '00:00' }]

/** Leaves Marina a linked number, hours and a draft. */
export const whatIf = (on: OnStage) => {
  it('tries other opening hours over what was written, and sends nothing', async () => {
    const { shop, marina, product } = on()
    const { page } = shop
    const [phone, ana] = [
      await addPhone(product.url, 'Padaria Sol', '11900000032'),
      await addPhone(product.url, 'Ana Souza', '11988776631'),
    ]
    await marina.link(phone, 'Padaria')
    const hours = { timeZone: defaultTimeZone, week: Array.from({ length: 7 }, () => always), holidays: [] }
    await marina.ask('PUT', '/api/opening-hours', hours)
    await ana.write(phone.number, 'Vocês entregam hoje?')
    const [contact] = await until(async () => {
      const waiting = await marina.contacts('waiting')
      return waiting.length > 0 && waiting
    })
    const before = await marina.messages(contact?.id ?? '')
    await page.goto(`${product.url}/settings?secao=horarios`)
    const { year, month, day } = localTimeAt(defaultTimeZone, Date.now())
    const today = weekdays[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? ''
    await page.getByRole('group', { name: today }).getByLabel('Tirar o 1º intervalo').click()
    await shop.button('E se?').click()
    const dialog = shop.dialog('E se os horários fossem estes?')
    await dialog.getByLabel('Com a resposta automática ligada').check()
    await shop.sees('what-if-01-hours')
    await dialog.getByRole('button', { name: 'Ver o que mudaria' }).click()
    await dialog.getByText(/^De 1 mensagem: 1 receberia a resposta automática e não recebeu/).waitFor()
    await dialog.getByRole('link', { name: 'Ana Souza' }).waitFor()
    await shop.sees('what-if-02-hours-found', () =>
      dialog.getByRole('link', { name: 'Ana Souza' }).evaluate((row) => row.scrollIntoView({ block: 'center' })),
    )
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByRole('group', { name: today }).getByText('Fechado').isVisible()).toBe(true)
    expect(await marina.messages(contact?.id ?? '')).toEqual(before)
  })

  it('tries a flow that was never published over the conversations of the days chosen', async () => {
    const { shop, marina, product } = on()
    const { page } = shop
    const { id } = await marina.post<Flow>('/api/flows', { name: 'Entregas' })
    await page.goto(`${product.url}/flow-editor/${id}`)
    await page.getByRole('heading', { name: 'Editor de Fluxo' }).waitFor()
    await shop.button('Execuções').click()
    await page.getByRole('tab', { name: 'Reprise' }).click()
    await shop.sees('what-if-03-replay')
    await shop.button('Repassar as conversas').click()
    await shop.dialog().getByText('1 conversa: 1 vez começaria onde não começou.').waitFor()
    await shop.sees('what-if-04-replayed')
    await page.keyboard.press('Escape')
  })

  it('tries other days and limits over what the accounts did', async () => {
    const { page, product, button, dialog, sees } = on()
    await page.goto(`${product.url}/admin?aba=planos`)
    await button('E se?').click()
    const asking = dialog('E se o plano ou as regras fossem outros?')
    await asking.getByLabel('Plano', { exact: true }).selectOption({ label: 'Nenhum: só as regras' })
    await asking.getByLabel('Dias do período gratuito').fill('20')
    await asking.getByLabel('Conexões', { exact: true }).fill('0')
    await sees('what-if-05-plan')
    await asking.getByRole('button', { name: 'Ver o que mudaria' }).click()
    const reason = dialog('Por que você precisa ver estes dados?')
    const result = asking.getByText(/^\d+ contas: \d+ seriam diferentes/)
    await reason.or(result).first().waitFor()
    if (await reason.isVisible()) await sayWhy(on())
    await result.waitFor()
    await asking.getByText(/Conexões recusadas a mais: [1-9]/).waitFor()
    await sees('what-if-06-plan-found', () => result.evaluate((row) => row.scrollIntoView({ block: 'start' })))
    await page.keyboard.press('Escape')
  })
}

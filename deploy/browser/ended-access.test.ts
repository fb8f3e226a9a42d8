import { later } from '@prosa/kernel/clock'
import { noteMeasurements } from '@prosa/kernel/testing/long-form'
import { defaultPlanRules } from '@prosa/product/entitlements/plan-rules'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportPayment } from '../test/kiwify-payment.ts'
import { accountTime } from './account-time.chapter.ts'
import { noChromium } from './chromium.ts'
import { type ChatStage, openChatStage } from './live-chat/chat-stage.ts'
import { isLongWalk } from './long-walk.ts'

const day = 24 * 3600 * 1000
const title = `the end of an account's time${noChromium}`

/** In `npm test` `web/` and `deploy/test/ended-access.test.ts` cover this. */
describe.skipIf(noChromium || !isLongWalk)(title, { timeout: 120_000 }, () => {
  let ahead = 0
  const clock = { now: () => new Date(Date.now() + ahead).toISOString() }
  let stage: ChatStage
  beforeAll(async () => {
    stage = await openChatStage({ clock, planRules: { ...defaultPlanRules, afterEnd: 'ended' } })
  }, 120_000)
  afterAll(() => stage?.close())

  it('shows why nothing is sent, and the open browser sends again within a second of the payment', async () => {
    const { page, product, marina, shop, ana, row, log, bubble, send, sees } = stage
    await marina.link(shop, 'Padaria Sol')
    await ana.write(shop.number, 'Vocês entregam hoje?')
    await page.goto(`${product.url}/live-chat`)
    await row('Ana Souza').click()
    await log().getByText('Vocês entregam hoje?').waitFor()
    await send('Entregamos, sim')
    await log().getByText('Entregamos, sim').waitFor()

    ahead = 11 * day
    await page.reload()
    const notice = page.getByText(/^Seu período terminou em .*; você ainda pode enviar até /)
    await notice.waitFor()
    await sees('access-01-grace')

    ahead = 13 * day + 60_000
    await page.reload()
    await page.getByText(/^Seu período terminou\. Escolha um plano para voltar a enviar\. O que/).waitFor()
    await log().getByText('Entregamos, sim').waitFor()
    await send('Até as seis da tarde')
    await log().getByText('Seu período terminou. Escolha um plano para voltar a enviar.').waitFor()
    await ana.write(shop.number, 'Até que horas?')
    await log().getByText('Até que horas?').waitFor()
    await sees('access-02-refused')
    await page.goto(`${product.url}/settings`)
    await stage.button('Adicionar Conexão').click()
    await page.getByLabel('Nome da conexão').fill('Filial')
    await stage.button('Adicionar').click()
    await stage.dialog().getByRole('alert').waitFor()
    await sees('access-03-no-connection')

    await page.goto(`${product.url}/live-chat`)
    await page.getByRole('tab', { name: /^Atendendo/ }).click()
    await row('Ana Souza').click()
    await page.getByText(/^Seu período terminou\. .* O que/).waitFor()
    const began = performance.now()
    await reportPayment(product, marina, later(clock.now(), 30 * day))
    await page.getByText(/^Seu período terminou\. .* O que/).waitFor({ state: 'detached' })
    const ms = Math.round(performance.now() - began)
    noteMeasurements('ended access', { 'from the payment to the open browser, ms': ms })
    expect(ms).toBeLessThan(1000)
    await send('Hoje até as seis')
    await bubble('Hoje até as seis').waitFor()
    await log().getByText('Seu período terminou. Escolha um plano para voltar a enviar.').waitFor()
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await page.getByRole('button', { name: 'Tentar de novo' }).waitFor({ state: 'detached' })
    await sees('access-04-open')
  })
})

describe.skipIf(noChromium || !isLongWalk)(
  `the time of an account with a free plan${noChromium}`,
  { timeout: 240_000 },
  () => {
    let ahead = 0
    const clock = { now: () => new Date(Date.now() + ahead).toISOString() }
    let stage: ChatStage
    beforeAll(async () => {
      stage = await openChatStage({ clock, planRules: defaultPlanRules, sendingNeedsConfirmedEmail: true })
    }, 120_000)
    afterAll(() => stage?.close())
    accountTime(
      () => stage,
      async (ms) => {
        ahead = ms
        return clock.now()
      },
    )
  },
)

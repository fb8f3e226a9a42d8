import { later } from '@prosa/kernel/clock'
import { it } from 'vitest'
import { makeAdmin } from '../test/give-role.ts'
import { reportPayment } from '../test/kiwify-payment.ts'
import type { ChatStage } from './live-chat/chat-stage.ts'
import { addPhone } from './simulated-phone.ts'

const day = 24 * 3600 * 1000

/** One of the two numbers is down. `goOn` advances the clock. */
export const accountTime = (on: () => ChatStage, goOn: (ahead: number) => Promise<string>) => {
  const looksAround = async (name: string, shown: { dashboard: string | RegExp; billing: string; chat: RegExp }) => {
    const { page, product, row, sees } = on()
    const isThere = (text: string | RegExp) => page.getByText(text).first().waitFor()
    await page.goto(product.url)
    await isThere(shown.dashboard)
    await isThere(/está desconectado/)
    await sees(`time-${name}-dashboard`)
    await page.goto(`${product.url}/billing`)
    await page.getByRole('heading', { name: shown.billing }).waitFor()
    await isThere(/^\d[\d.]* de /)
    await sees(`time-${name}-billing`)
    await page.goto(`${product.url}/live-chat`)
    await isThere(shown.chat)
    await row('Ana Souza').first().waitFor()
    await sees(`time-${name}-chat`)
  }
  const numberDown = /^Entregas e encomendas está desconectado/

  it('shows the free period, and that the address has to be confirmed before something is sent', async () => {
    const { page, product, marina, shop, ana, row, log, send, sees } = on()
    await marina.link(shop, 'Padaria Sol')
    const second = await addPhone(product.url, 'Entregas', '11900000072')
    await marina.link(second, 'Entregas e encomendas')
    await second.unlinkAll()
    await ana.write(shop.number, 'Vocês entregam hoje?')
    const notice = /^Confirme seu e-mail para enviar mensagens/
    await looksAround('01-not-confirmed', { dashboard: notice, billing: 'Período Gratuito', chat: notice })
    await row('Ana Souza').click()
    await log().getByText('Vocês entregam hoje?').waitFor()
    await send('Entregamos, sim')
    await log()
      .getByText(/Confirme seu e-mail/)
      .waitFor()
    await sees('time-02-not-sent')
    await page.getByRole('button', { name: 'Reenviar link' }).click()
    await page.getByRole('button', { name: 'Confirmar e-mail' }).waitFor()
    await sees('time-03-link')
    await page.getByRole('button', { name: 'Confirmar e-mail' }).click()
    await page.getByRole('link', { name: 'Ir para o Prosa' }).waitFor()
    await sees('time-04-confirmed')
    await looksAround('05-trial', { dashboard: /^Você tem 10 dias/, billing: 'Período Gratuito', chat: numberDown })
  })

  it('counts the last day, and has three more', async () => {
    await goOn(9.5 * day)
    await looksAround('06-last-day', { dashboard: /^Último dia/, billing: 'Período Gratuito', chat: numberDown })
    await goOn(11 * day)
    const notice = /^Seu período terminou em .*depois vale o plano gratuito/
    await looksAround('07-grace', { dashboard: notice, billing: 'Plano Gratuito', chat: notice })
  })

  it('has the limits of the free plan then', async () => {
    await goOn(14 * day)
    const limits = /^Sua conta está no plano gratuito: 100 mensagens por mês e 1 conexão/
    await looksAround('08-free', { dashboard: limits, billing: 'Plano Gratuito', chat: numberDown })
  })

  it('has those of a plan that is paid for, until an administrator takes the access away', async () => {
    const { product, marina } = on()
    const now = await goOn(14 * day)
    await reportPayment(product, marina, later(now, 30 * day))
    await looksAround('09-paid', { dashboard: 'Olá, Marina', billing: 'Plano Profissional', chat: numberDown })
    const admin = await product.visitor().register()
    await makeAdmin(product, admin)
    const { id } = await marina.get<{ id: string }>('/api/auth/user')
    const ended = { subscriptionStatus: 'expired', subscriptionEnd: now, reason: 'Pediu o fim' }
    await admin.post(`/api/admin/users/${id}/remove-access`, ended)
    await looksAround('10-removed', { dashboard: 'Seu período terminou', billing: 'Plano Gratuito', chat: numberDown })
  })
}

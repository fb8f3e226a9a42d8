import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { later } from '@prosa/kernel/clock'
import { defaultPlanRules } from '@prosa/product/entitlements/plan-rules'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAdmin } from '../test/give-role.ts'
import { reportPayment, reportRefund } from '../test/kiwify-payment.ts'
import type { Visitor } from '../test/visitor.ts'
import { finding } from './administration/finding.chapter.ts'
import { flowLinks } from './administration/flow-links.chapter.ts'
import { readings } from './administration/readings.chapter.ts'
import { transactions } from './administration/transactions.chapter.ts'
import { whatIf } from './administration/what-if.chapter.ts'
import { noChromium } from './chromium.ts'
import { findUser } from './find-user.ts'
import { isLongWalk } from './long-walk.ts'
import { sayWhy } from './say-why.ts'
import { signIn } from './sign-in.ts'
import { openStage, openWindow, type Stage } from './stage.ts'

const day = 24 * 3600 * 1000

/** In `npm test` the tests of `web/src/features/admin` and of the services cover this. */
describe.skipIf(noChromium || !isLongWalk)(`administration${noChromium}`, { timeout: 180_000 }, () => {
  let office: Stage
  let shop: Stage
  let admin: Visitor
  let marina: Visitor
  beforeAll(async () => {
    office = await openStage({ planRules: defaultPlanRules })
    const { product } = office
    admin = await product.visitor().register()
    marina = await product.visitor().register()
    await makeAdmin(product, admin)
    await signIn(office.page, admin)
    shop = await openWindow(office)
    await signIn(shop.page, marina)
    await reportPayment(product, marina, later(new Date().toISOString(), 30 * day))
  }, 120_000)
  afterAll(async () => {
    await shop?.close()
    await office?.close()
  })

  const chooseFor = async (email: string, action: string) => {
    const { page, product } = office
    await page.goto(`${product.url}/admin?aba=usuarios`)
    await findUser(page, email)
    await page.getByRole('button', { name: /^Ações de / }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }

  it('lets the subscriber read the receipt of what was paid', async () => {
    const { page, product } = shop
    await page.goto(`${product.url}/billing?aba=faturas`)
    await page.getByRole('tab', { name: 'Faturas' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: /^Baixar o PDF de / }).click()
    const path = await (await download).path()
    expect((await readFile(path)).subarray(0, 5).toString()).toBe('%PDF-')
    await shop.sees('billing-invoices')
    for (const tab of ['Planos', 'Plano Atual']) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('tabpanel').waitFor()
      await shop.sees(`billing-${tab.toLowerCase().replace(' ', '-')}`)
    }
  })

  it('shows in the timeline why access has ended, and gives it back with a reason', async () => {
    const { page, product } = office
    await reportRefund(product, marina)
    await page.goto(`${product.url}/admin`)
    await sayWhy(office, () => office.sees('admin-why'))
    await chooseFor(marina.email, 'Ver histórico')
    await sayWhy(office)
    const drawer = office.dialog('Marina Alves')
    await drawer.getByText(/declarou por que precisa ver dados de Marina Alves/).waitFor()
    await drawer.getByText(/deixou de valer \(reembolso\): acesso até .* \(do período de teste\)/).waitFor()
    await office.sees('admin-history-of-user')
    await drawer.getByRole('button', { name: 'Fechar histórico' }).click()

    await chooseFor(marina.email, 'Gerenciar')
    const manage = office.dialog('Gerenciar Marina Alves')
    await manage.getByLabel('Motivo (opcional)').fill('Reembolso pedido por engano')
    await office.sees('admin-manage-user')
    await manage.getByRole('button', { name: 'Estender acesso' }).click()
    const confirm = office.dialog('Estender acesso?')
    await confirm.getByRole('button', { name: 'Estender acesso' }).click()
    // It hides the one below it, and goes once it is done: another page before that would cancel the request.
    await confirm.waitFor({ state: 'detached' })
    await manage.waitFor({ state: 'detached' })
    await chooseFor(marina.email, 'Ver histórico')
    await drawer.getByText('Motivo: Reembolso pedido por engano').waitFor()
    expect(await marina.get('/api/auth/user')).toMatchObject({ subscriptionStatus: 'active' })
    await page.keyboard.press('Escape')
  })

  it('reprocesses a delivery after a look at what that changes', async () => {
    const { page, product } = office
    await page.goto(`${product.url}/admin?aba=webhook`)
    await page
      .getByRole('button', { name: /^Ações de .*pedido/ })
      .last()
      .click()
    await page.getByRole('menuitem', { name: 'Ver detalhes' }).click()
    await office.button('Fechar').waitFor()
    await office.sees('admin-delivery')
    await office.dialog().getByRole('button', { name: 'Reprocessar' }).click()
    const reprocess = office.dialog('Reprocessar aviso')
    await reprocess.getByText('Nada mudaria: o que este aviso informa já está valendo.').waitFor()
    await office.sees('admin-reprocess')
    await reprocess.getByRole('button', { name: 'Reprocessar' }).click()
    await reprocess.waitFor({ state: 'detached' })
    await page.goto(`${product.url}/admin?aba=historico`)
    await page
      .getByText(/reprocess/i)
      .first()
      .waitFor()
  })

  it('shows that deliveries are refused, from where, and in the history what to do', async () => {
    const { page, product } = office
    const signature = createHmac('sha1', 'another token').update('{}').digest('hex')
    const address = `${product.url}/kiwify/payment/approved`
    for (let times = 0; times < 3; times++)
      expect((await fetch(`${address}?signature=${signature}`, { method: 'POST', body: '{}' })).status).toBe(401)
    await fetch(address, { method: 'POST', body: '{}' })
    await page.goto(`${product.url}/admin?aba=webhook`)
    await page.getByText('3 avisos recusados nas últimas 24 h.').waitFor()
    await page.getByText(/Último aviso aceito: \d\d\/\d\d\/\d{4}, /).waitFor()
    await page.getByText('De onde vieram').click()
    await page.getByText('127.0.0.1').first().waitFor()
    await office.sees('admin-webhook-refused')
    await page.goto(`${product.url}/admin?aba=historico`)
    await page.getByText(/Prosa recusou 1 aviso da Kiwify/).waitFor()
    await office.pictures('admin-history-refused')
  })

  const onStage = () => ({ ...office, shop, marina })
  transactions(onStage)
  finding(onStage)
  flowLinks(onStage)
  readings(onStage)
  whatIf(onStage)

  it('says to others that it is not for them', async () => {
    const { page, product } = shop
    await page.goto(`${product.url}/admin`)
    await page.getByText('Acesso Negado').waitFor()
    await page.getByText('Você não tem permissão para acessar esta página.').waitFor()
    await shop.sees('admin-denied')
  })
})

import { readFile } from 'node:fs/promises'
import { sampleProductId } from '@prosa/billing/testing/offer-sample-plan'
import { expect, it } from 'vitest'
import { reportOrder } from '../../test/kiwify-payment.ts'
import type { OnStage } from './office.ts'

const course = 'Curso de atendimento para padarias e confeitarias'
const paulo = { full_name: 'Paulo César de Albuquerque', email: 'paulo.cesar@padariasaojorge.example' }
const joana = { full_name: 'Joana Sem Conta', email: 'joana.sem.conta@example.org' }

/** Marina has bought a plan. Leaves unclaimed purchases and an erased buyer. */
export const transactions = (on: OnStage) => {
  const open = (query = '') => on().page.goto(`${on().product.url}/admin?aba=transacoes${query}`)
  const choose = async (order: string, action: string) => {
    await on().button(`Ações de ${order}`).click()
    await on().page.getByRole('menuitem', { name: action }).click()
  }
  const row = (order: string) => on().page.getByRole('row').filter({ hasText: order })
  const toTop = (order: string) => async () =>
    row(order).evaluate((element) => element.scrollIntoView({ block: 'center' }))

  it('shows what was bought without a plan, and what a card refused, in the list and in the file', async () => {
    const { page, product, sees } = on()
    const Product = { product_id: 'P-curso', product_name: course }
    await reportOrder(product, 'CURSO01', { Product, Customer: paulo })
    const sold = { product_id: sampleProductId, product_name: 'Atende Fácil - Plano Profissional' }
    await reportOrder(product, 'RECUSA1', { Product: sold, Customer: paulo }, 'order-rejected')
    await open()
    await row('CURSO01').getByText('Sem plano').waitFor()
    await row('RECUSA1').getByText('Recusado').waitFor()
    await sees('transactions-01-list')
    await sees('transactions-02-row', toTop('CURSO01'))
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Baixar CSV' }).click()
    const csv = await readFile(await (await download).path(), 'utf8')
    expect([csv.includes('Sem plano'), csv.includes('Recusado')]).toEqual([true, true])
  })

  it('gives a purchase without a plan one of those on offer, with a reason', async () => {
    const { page, button, dialog, sees } = on()
    await open('&sem-plano=sim')
    await row('CURSO01').waitFor()
    expect(await row('RECUSA1').count()).toBe(0)
    await sees('transactions-03-without-plan')
    await button('Ações de CURSO01').click()
    await page.getByRole('menuitem', { name: 'Escolher o plano' }).waitFor()
    await sees('transactions-04-menu', async () => {
      const menu = page.getByRole('menuitem', { name: 'Escolher o plano' })
      if (!(await menu.isVisible())) await button('Ações de CURSO01').click()
    })
    await page.getByRole('menuitem', { name: 'Escolher o plano' }).click()
    const asking = dialog('De qual plano é a compra CURSO01?')
    await asking.getByLabel('Plano', { exact: true }).waitFor()
    await asking.getByLabel('Motivo').fill('O curso inclui um mês do Prosa')
    await sees('transactions-05-plan')
    await asking.getByRole('button', { name: 'Escolher' }).click()
    await asking.waitFor({ state: 'detached' })
    await page.getByText('Nenhuma transação encontrada').waitFor()
    await sees('transactions-06-all-have-one')
  })

  it('hands a purchase to an account, and one that has an account to another one', async () => {
    const { dialog, shop, sees, marina } = on()
    await open()
    await choose('CURSO01', 'Entregar a uma conta')
    const giving = dialog('Entregar a compra CURSO01 a uma conta')
    await giving.getByRole('button', { name: 'Entregar' }).click()
    await giving.getByText(/conta/i).nth(2).waitFor()
    await sees('transactions-07-no-such-account')
    await giving.getByLabel('E-mail da conta').fill(marina.email)
    await giving.getByRole('button', { name: 'Entregar' }).click()
    await giving.waitFor({ state: 'detached' })
    await row('CURSO01').getByText(marina.email).waitFor()
    await choose('CURSO01', 'Passar a outra conta')
    await dialog('Passar a compra CURSO01 a outra conta').getByLabel('Motivo').fill('Comprou no lugar da irmã')
    await sees('transactions-08-moving')
    await dialog().getByRole('button', { name: 'Cancelar' }).click()
    await dialog().waitFor({ state: 'detached' })
    await shop.page.goto(`${shop.product.url}/billing?aba=faturas`)
    await shop.page.getByRole('row').filter({ hasText: 'CURSO01' }).waitFor()
    await shop.sees('transactions-09-invoices')
  })

  it('erases a buyer who has no account, and marks the charge that comes afterwards', async () => {
    const { page, product, marina, button, dialog, sees } = on()
    await reportOrder(product, 'JOANA01', { subscription_id: 'joana', Customer: joana })
    await open()
    await page.getByText(joana.email).waitFor()
    await button('Apagar comprador').click()
    const asking = dialog('Apagar um comprador')
    await asking.getByLabel('E-mail do comprador').fill(marina.email)
    await asking.getByLabel('Motivo').fill('Pediu pelo formulário de privacidade')
    await asking.getByLabel(/digite “apagar”/).fill('apagar')
    await asking.getByRole('button', { name: 'Apagar dados' }).click()
    await asking.getByText(/Exclua a conta, na aba Usuários/).waitFor()
    await sees('admin-erase-buyer')
    await asking.getByLabel('E-mail do comprador').fill(joana.email)
    await asking.getByRole('button', { name: 'Apagar dados' }).click()
    await page.getByText(/Dados de 1 compra e 1 aviso apagados/).waitFor()
    await page.getByText(joana.email).waitFor({ state: 'detached' })
    await reportOrder(product, 'JOANA02', { subscription_id: 'joana', Customer: joana })
    await page.getByText('Cobrança de quem foi apagado').waitFor()
    await sees('admin-erased-charge', toTop('JOANA02'))
    await page.goto(`${product.url}/admin?aba=historico&assunto=erasedCharge`)
    await page.getByText(/cobr/i).last().waitFor()
    await sees('admin-history-erased-charge', () =>
      page.getByRole('list', { name: 'Histórico' }).evaluate((list) => list.scrollIntoView()),
    )
  })
}

import { expect, it } from 'vitest'
import { findUser } from '../find-user.ts'
import type { OnStage } from './office.ts'

export const readings = (on: OnStage) => {
  const toTimeline = () =>
    on()
      .page.getByRole('list', { name: 'Histórico' })
      .evaluate((list) => list.scrollIntoView())

  it('has a subject of its own for what administrators read, and why', async () => {
    const { page, product, sees } = on()
    await page.goto(`${product.url}/admin?aba=historico`)
    await page.getByLabel('Assunto').selectOption({ label: 'Leituras' })
    await page
      .getByText(/declarou por que precisa ver dados de/)
      .first()
      .waitFor()
    await sees('readings-01-all')
    await sees('readings-02-timeline', toTimeline)
    expect(await page.getByText(/^Kiwify enviou/).count()).toBe(0)
    await page.getByLabel('Assunto').selectOption({ label: 'Tudo menos leituras' })
    const declared = page.getByText(/declarou por que/)
    await declared.first().waitFor({ state: 'detached' })
    await page.getByRole('list', { name: 'Histórico' }).getByRole('listitem').first().waitFor()
    expect(await declared.count()).toBe(0)
  })

  it('stands in the history of whom it is about', async () => {
    const { page, product, marina, sees } = on()
    await page.goto(`${product.url}/admin?aba=usuarios`)
    await findUser(page, marina.email)
    await page.getByRole('button', { name: /^Ações de / }).click()
    await page.getByRole('menuitem', { name: 'Ver histórico' }).click()
    const drawer = page.getByRole('dialog', { name: 'Marina Alves' })
    await drawer
      .getByText(/leu a lista de/)
      .first()
      .waitFor()
    await sees('readings-03-of-marina')
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
  })

  it('asks in words of one’s own where no reason of the list is meant', async () => {
    const { page, product, dialog, sees } = on()
    const other = await product.visitor().register()
    await page.goto(`${product.url}/admin?aba=usuarios`)
    await findUser(page, other.email)
    await page.getByRole('button', { name: /^Ações de / }).click()
    await page.getByRole('menuitem', { name: 'Ver histórico' }).click()
    const asking = dialog('Por que você precisa ver estes dados?')
    await asking.getByLabel('Motivo').selectOption({ label: 'Outro motivo' })
    await asking.getByLabel('Qual motivo').waitFor()
    await sees('readings-04-other-purpose')
    await asking.getByRole('button', { name: 'Cancelar' }).click()
    await page
      .getByText(/Sem um motivo, dados pessoais não são mostrados/)
      .first()
      .waitFor()
    await sees('readings-05-declined')
  })
}

import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { verifyExport } from '@prosa/kernel/operations/hash-chain/exported-lines'
import { expect, it } from 'vitest'
import { findUser } from '../find-user.ts'
import { sayWhy } from '../say-why.ts'
import type { OnStage } from './office.ts'

/** Marina has bought a plan, and purchases of others are in the list of transactions. */
export const finding = (on: OnStage) => {
  const open = (query: string) => on().page.goto(`${on().product.url}/admin?${query}`)

  it('finds a person by e-mail, which is in no address, and everything of the account', async () => {
    const { page, marina, sees, button } = on()
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    await open('aba=historico')
    await page.getByRole('list', { name: 'Histórico' }).waitFor()
    await sees('finding-01-history')
    await page.getByLabel(/^Nome, e-mail/).fill(marina.email)
    await button('Usuário Marina Alves').waitFor()
    await sees('finding-02-found')
    await button('Usuário Marina Alves').click()
    await page.getByRole('heading', { name: 'Marina Alves' }).waitFor()
    await sees('finding-03-of-marina')
    expect(addresses.filter((address) => address.includes(encodeURIComponent(marina.email)))).toEqual([])
  })

  it('says what is wrong with two days', async () => {
    const { page, sees } = on()
    await open('aba=historico&de=2026-11-22&ate=2026-11-21')
    await page.getByText('O último dia vem antes do primeiro. Troque as datas.').first().waitFor()
    await sees('finding-04-wrong-days')
  })

  it('exports what is filtered, and the file proves that it is whole', async () => {
    const { page, button } = on()
    await open('aba=historico&assunto=all_but_readings')
    await page.getByRole('list', { name: 'Histórico' }).waitFor()
    for (const format of ['CSV', 'NDJSON']) {
      const download = page.waitForEvent('download')
      await button(`Exportar ${format}`).click()
      if (await on().dialog('Por que você precisa ver estes dados?').isVisible()) await sayWhy(on())
      const content = await readFile(await (await download).path(), 'utf8')
      const { count, faults } = await verifyExport(Readable.from([content]))
      expect([format, faults]).toEqual([format, []])
      expect(count).toBeGreaterThan(10)
    }
  })

  it('sorts and narrows users, and shows curves', async () => {
    const { page, sees, button } = on()
    await open('situacao=active')
    await button('Usuário').click()
    await page.getByRole('columnheader', { name: /Usuário/, includeHidden: false }).waitFor()
    await page.getByRole('row').nth(1).waitFor()
    await sees('finding-05-users')
    await button('Ver curvas por mês').click()
    await page.getByRole('list', { name: 'Curvas' }).waitFor()
    await page.getByText('Ver em tabela').click()
    await sees('finding-06-curves')
  })

  it('brings a transaction back that was taken out, with a reason', async () => {
    const { page, sees, button, dialog } = on()
    await open('aba=transacoes')
    await button('Ações de RECUSA1').click()
    await page.getByRole('menuitem', { name: 'Excluir' }).click()
    await dialog('Excluir a transação RECUSA1?').getByRole('button', { name: 'Excluir' }).click()
    await dialog('Excluir a transação RECUSA1?').waitFor({ state: 'detached' })
    await open('aba=transacoes&ocultas=sim')
    await button('Ações de RECUSA1').waitFor()
    await sees('finding-07-hidden')
    await button('Ações de RECUSA1').click()
    await page.getByRole('menuitem', { name: 'Trazer de volta' }).click()
    const asking = dialog('Trazer de volta a transação RECUSA1?')
    await asking.getByLabel('Motivo').fill('era mesmo uma venda recusada')
    await sees('finding-08-back')
    await asking.getByRole('button', { name: 'Trazer de volta' }).click()
    await asking.waitFor({ state: 'detached' })
    await open('aba=transacoes')
    await button('Ações de RECUSA1').waitFor()
  })

  it('proves what an erasure left, and finds the person no more', async () => {
    const { page, product, sees, button, dialog } = on()
    const gone = await product.visitor().register()
    await open('aba=usuarios')
    await findUser(page, gone.email)
    await page.getByRole('button', { name: /^Ações de / }).click()
    await page.getByRole('menuitem', { name: 'Gerenciar' }).click()
    await button('Excluir usuário').click()
    const erasing = dialog('Excluir usuário?')
    await erasing.getByLabel('Motivo').fill('Pediu por carta')
    await erasing.getByLabel('Para confirmar, digite “apagar”').fill('apagar')
    await erasing.getByRole('button', { name: 'Excluir para sempre' }).click()
    await erasing.waitFor({ state: 'detached' })
    await open('aba=manutencao')
    const section = page.getByRole('region', { name: 'Apagados' })
    await section.getByRole('button', { name: 'Conferir' }).first().click()
    await section.getByText(/Chaves destruídas: nenhuma de/).waitFor()
    const lines = section.getByText(/^Linhas/)
    await lines.waitFor()
    await expect
      .poll(() => lines.textContent(), { timeout: 15_000 })
      .toMatch(/^Linhas: nenhuma, em \d+ tabelas conferidas/)
    await sees('finding-09-erased', () => section.evaluate((element) => element.scrollIntoView()))
    await open('aba=historico')
    await page.getByLabel(/^Nome, e-mail/).fill(gone.email)
    await page.getByText('Nada encontrado').waitFor()
  })
}

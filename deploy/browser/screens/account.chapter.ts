import { expect, it } from 'vitest'
import { whileRefusingEvents } from '../database-faults.ts'
import type { OnStage } from './screens-stage.ts'

const program = Buffer.concat([
  Buffer.from('MZ\u0090\u0000'),
  Buffer.alloc(2000, 'This program cannot be run in DOS mode. '),
])

/** Starts signed out. Leaves Marina signed in. */
export const signingIn = (on: OnStage) => {
  it('signs in, and shows that signing out did not work without internet', async () => {
    const { page, product, browser, marina, button, toast, closeToast, pictures } = on()
    await page.goto(`${product.url}/login`)
    await page.getByLabel('E-mail').fill(marina.email)
    await page.getByLabel('Senha', { exact: true }).fill(marina.password)
    await button('Entrar').click()
    await toast('Sucesso!').waitFor()
    await toast('Login realizado com sucesso.').waitFor()
    await closeToast()
    await button('Menu de Marina Alves').click()
    await pictures('account-01-menu')
    await browser.context.setOffline(true)
    await page.getByRole('menuitem', { name: 'Sair' }).click()
    await toast('Erro no logout').waitFor()
    await pictures('account-02-not-signed-out')
    await browser.context.setOffline(false)
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
  })
}

/** Marina is signed in. */
export const account = (on: OnStage) => {
  it('keeps the profile as it was where the new one cannot be', async () => {
    const { page, product, rita, marina, visit, button, toast, closeToast, pictures } = on()
    await visit('/profile', 'Perfil')
    await page.getByLabel('Nome', { exact: true }).fill('')
    await button('Salvar alterações').click()
    await page.locator('[aria-invalid="true"]').first().waitFor()
    await pictures('profile-01-no-name')
    await page.getByLabel('Nome', { exact: true }).fill('Marina')
    await page.getByLabel('Email').fill(rita.email)
    await page.locator('form').first().getByLabel('Senha atual', { exact: true }).fill(marina.password)
    await button('Salvar alterações').click()
    await toast('Já existe uma conta com este e-mail.').waitFor()
    await pictures('profile-02-taken')
    await page.getByLabel('Email').fill(marina.email)
    await page.getByLabel('Nome', { exact: true }).fill('Mari')
    await whileRefusingEvents(product, ['user'], async () => {
      await button('Salvar alterações').click()
      await toast(/^Não foi possível concluir/).waitFor()
    })
    await closeToast()
    await page.getByLabel('Nome', { exact: true }).fill('Marina')
    await button('Salvar alterações').click()
    await toast('Perfil atualizado').waitFor()
    await toast('Suas informações foram atualizadas com sucesso.').waitFor()
    await pictures('profile-03-saved')
  })

  it('refuses what is no photo at its field', async () => {
    const { page, visit, pictures } = on()
    await visit('/profile', 'Perfil')
    const choose = (name: string, buffer: Buffer) =>
      page.getByLabel('Foto do perfil').setInputFiles({ name, mimeType: 'image/png', buffer })
    await choose('eu.png', program)
    await page.getByText('Este arquivo não é uma foto em JPG, PNG ou GIF.').waitFor()
    await pictures('profile-04-program')
    await choose('eu.png', Buffer.alloc(5 * 1024 * 1024 + 1))
    await page.getByText('A foto é grande demais: o máximo é 5 MB.').waitFor()
    await pictures('profile-05-large-photo')
  })

  it('sends no empty message to support, none of 100 kB, and confirms the others', async () => {
    const { page, visit, button, pictures } = on()
    await visit('/help', 'Central de Ajuda')
    await button('Enviar mensagem').click()
    await page.getByText('Escreva o assunto.').waitFor()
    await page.getByText('Escreva a mensagem.').waitFor()
    await pictures('help-01-missing')
    await page.getByLabel('Assunto').fill('Recibos')
    await page.getByLabel('Mensagem', { exact: true }).fill('Onde estão? '.repeat(8600))
    await button('Enviar mensagem').click()
    await page.getByText(/^A mensagem pode ter no máximo/).waitFor()
    await pictures('help-02-too-long')
    await page.getByLabel('Mensagem', { exact: true }).fill('Onde encontro os recibos do ano passado?')
    await button('Enviar mensagem').click()
    await page.getByText('Mensagem enviada com sucesso! Responderemos em breve.').waitFor()
    await pictures('help-03-sent')
    await page.getByLabel('Buscar nas perguntas').fill('xilofone')
    await page.getByText('Nenhuma pergunta encontrada').waitFor()
    await pictures('help-04-no-such-question')
  })

  it('refuses dates of the dashboard that are turned round, or too far apart', async () => {
    const { page, visit, button, pictures } = on()
    await visit('/', 'Olá, Marina')
    const filter = async (from: string, to: string) => {
      await page.getByLabel('Data inicial').fill(from)
      await page.getByLabel('Data final').fill(to)
      await button('Filtrar').click()
    }
    const refused = page.locator('form[aria-label="Período"] .field-error').first()
    await filter('2026-06-30', '2026-06-01')
    await refused.waitFor()
    await pictures('dashboard-01-turned-round')
    await filter('2024-01-01', '2026-06-01')
    await refused.waitFor()
    await pictures('dashboard-02-too-long')
    await filter('2026-06-01', '2026-06-30')
    await page.waitForURL(({ searchParams }) => searchParams.size === 2)
    expect(await refused.count()).toBe(0)
  })
}

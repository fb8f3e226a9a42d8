import { it } from 'vitest'
import { type Stage, screenOf } from './stage.ts'

/** Starts in Marina's profile. Leaves the landing page and no account. */
export const eraseAccount = (on: () => Stage, person: { email: string; password: string }) => {
  it('erases the account when its owner proves to be meant, and nobody can sign in to it any more', async () => {
    const { page, product } = on()
    const { email, password } = person
    const { button, dialog, sees } = screenOf(page)
    await page.goto(`${product.url}/profile`)
    await button('Excluir minha conta').click()
    const asking = dialog('Excluir sua conta?')
    await asking.getByLabel('Por que você vai embora?').selectOption({ label: 'Prefiro não dizer' })
    await asking.getByLabel('Sua senha', { exact: true }).fill('pão de queijo')
    await asking.getByLabel('Para confirmar, digite “apagar”').fill('apagar')
    await button('Excluir para sempre').click()
    await asking.getByText('A senha atual não confere.').waitFor()
    await sees('14-erasing-account')
    await asking.getByLabel('Sua senha', { exact: true }).fill(password)
    await button('Excluir para sempre').click()
    await page.getByText(/^Sua conta foi excluída/).waitFor()
    await sees('15-account-erased')
    await page.getByRole('link', { name: 'Entrar' }).click()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Senha', { exact: true }).fill(password)
    await button('Entrar').click()
    await page.getByText('E-mail ou senha incorretos.').first().waitFor()
  })
}

import { expect, it } from 'vitest'
import { whileRefusingEvents } from '../database-faults.ts'
import { findUser } from '../find-user.ts'
import { isLongWalk } from '../long-walk.ts'
import { sayWhy } from '../say-why.ts'
import { openWindow, screenOf } from '../stage.ts'
import type { OnStage } from './screens-stage.ts'

/** Marina is administrator, one plan is offered, Rita has paid. Leaves only Marina's account. */
export const panelFailures = (on: OnStage) => {
  const choose = async (row: string, action: string) => {
    const { page, button } = on()
    await button(`Ações de ${row}`).click()
    await page.getByRole('menuitem', { name: action }).click()
  }

  it('creates, changes and deletes plans once they are complete, and names what failed', async () => {
    const { page, product, marina, visit, button, dialog, toast, closeToast, pictures } = on()
    await visit('/admin?aba=planos', 'Painel Administrativo')
    await button('Novo plano').click()
    await button('Criar').click()
    await toast('Por favor, preencha todos os campos obrigatórios').waitFor()
    await pictures('plans-01-missing')
    for (const [label, text] of [
      ['ID do plano', 'profissional'],
      ['Nome do plano', 'Empresarial'],
      ['ID do produto', 'P-2'],
      ['Nome do produto', 'Prosa Empresas'],
      ['Dias de acesso', 'um mês'],
    ] as const)
      await page.getByLabel(label, { exact: true }).fill(text)
    await button('Criar').click()
    await toast('Já existe um plano com este ID.').waitFor()
    await pictures('plans-02-taken')
    await page.getByLabel('ID do plano', { exact: true }).fill('empresarial')
    await page.getByRole('textbox', { name: 'Link de compra' }).fill('javascript:alert(1)')
    await button('Criar').click()
    await dialog().getByText('Informe um endereço que comece com https://.').waitFor()
    await page.getByRole('textbox', { name: 'Link de compra' }).fill('')
    await whileRefusingEvents(product, ['plan'], async () => {
      await button('Criar').click()
      await toast('Erro ao criar plano').waitFor()
      await pictures('plans-03-not-created')
    })
    await button('Criar').click()
    await toast('Plano criado').waitFor()
    await dialog().waitFor({ state: 'detached' })
    const plans = await marina.get<{ planId: string; accessDays: number }[]>('/api/kiwify-plans')
    expect(plans.find(({ planId }) => planId === 'empresarial')?.accessDays).toBe(30)

    await choose('Empresarial', 'Editar')
    await page.getByLabel('Preço').fill('R$ 297,00')
    await whileRefusingEvents(product, ['plan'], async () => {
      await button('Salvar').click()
      await toast('Erro ao atualizar plano').waitFor()
    })
    await button('Salvar').click()
    await toast('Plano atualizado').waitFor()
    await dialog().waitFor({ state: 'detached' })
    await choose('Empresarial', 'Excluir')
    await pictures('plans-04-deleting')
    await whileRefusingEvents(product, ['plan'], async () => {
      await dialog().getByRole('button', { name: 'Excluir' }).click()
      await toast('Erro ao excluir plano').waitFor()
    })
    await dialog().getByRole('button', { name: 'Excluir' }).click()
    await toast('Plano excluído').waitFor()
    await dialog().waitFor({ state: 'detached' })
    await closeToast()
  })

  it('shows that a link could not be copied where the browser does not let it', async () => {
    const { page, visit, button, toast, closeToast, pictures } = on()
    await visit('/admin?aba=planos', 'Painel Administrativo')
    const browser = await page.context().newCDPSession(page)
    const { origin } = new URL(page.url())
    const set = (setting: 'denied' | 'granted') =>
      browser.send('Browser.setPermission', {
        permission: { name: 'clipboard-write', allowWithoutSanitization: false },
        setting,
        origin,
      })
    await set('denied')
    await button('Copiar o link: Compras').click()
    await toast('Erro ao copiar').waitFor()
    await toast('Não foi possível copiar o link. Tente novamente.').waitFor()
    await pictures('plans-05-not-copied')
    await set('granted')
    await button('Copiar o link: Compras').click()
    await toast('Link copiado!').waitFor()
    await closeToast()
    await browser.detach()
  })

  it('takes no transaction out of the lists while the log takes nothing, and one afterwards', async () => {
    const { page, product, visit, dialog, toast, closeToast, pictures } = on()
    await visit('/admin?aba=transacoes', 'Painel Administrativo')
    await page
      .getByRole('row')
      .nth(1)
      .getByRole('button', { name: /^Ações de/ })
      .click()
    await page.getByRole('menuitem', { name: 'Excluir' }).click()
    await pictures('transactions-01-deleting')
    await whileRefusingEvents(product, ['order'], async () => {
      await dialog().getByRole('button', { name: 'Excluir' }).click()
      await toast('Falha ao excluir transação').waitFor()
      await pictures('transactions-02-not-deleted')
    })
    await dialog().getByRole('button', { name: 'Excluir' }).click()
    await toast('Transação excluída com sucesso!').waitFor()
    await dialog().waitFor({ state: 'detached' })
    await closeToast()
  })

  it('opens what the other tabs lead to', async () => {
    const { page, visit, button, dialog, toast, pictures } = on()
    await visit('/admin?aba=webhook', 'Painel Administrativo')
    await page
      .getByRole('button', { name: /^Ações de .*pedido/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Ver detalhes' }).click()
    await sayWhy(on())
    await dialog().getByRole('heading', { name: 'Conteúdo recebido' }).waitFor()
    await pictures('webhook-01-details')
    await dialog().getByRole('button', { name: 'Reprocessar' }).click()
    await dialog('Reprocessar aviso').waitFor()
    await pictures('webhook-02-reprocessing')
    await dialog('Reprocessar aviso').getByRole('button', { name: 'Cancelar' }).click()
    await button('Fechar').click()
    await dialog().waitFor({ state: 'detached' })
    await page.getByLabel('Buscar por pedido').fill('nenhum')
    await page.getByText('Nenhum aviso encontrado').waitFor()
    await pictures('webhook-03-none-found')

    await visit('/admin?aba=suporte', 'Painel Administrativo')
    await button('Recibos').first().click()
    await dialog('Recibos').waitFor()
    await pictures('support-01-message')
    await button('Marcar como respondida').click()
    await dialog().waitFor({ state: 'detached' })

    await visit('/admin?aba=manutencao', 'Painel Administrativo')
    await page
      .getByRole('button', { name: /^Ações de/ })
      .last()
      .click()
    await page.getByRole('menuitem', { name: 'Reconstruir' }).click()
    await dialog(/^Reconstruir/).waitFor()
    await pictures('maintenance-01-rebuilding')
    await button('Cancelar').click()
    await dialog().waitFor({ state: 'detached' })
    expect(await toast('Erro').count()).toBe(0)
  })

  it('asks whoever signs in with a password that an administrator set for another one', async () => {
    const { product, marina, rita } = on()
    const { id } = await rita.get<{ id: string }>('/api/auth/user')
    const password = 'zebra amarela'
    await marina.post(`/api/admin/users/${id}/update-profile`, { password })
    const window = await openWindow(on())
    const { page, button, pictures } = { ...window, ...screenOf(window.page, isLongWalk) }
    await page.goto(`${product.url}/login`)
    await page.getByLabel('E-mail').fill(rita.email)
    await page.getByLabel('Senha', { exact: true }).fill(password)
    await button('Entrar').click()
    await page.getByRole('heading', { name: 'Escolha uma nova senha' }).waitFor()
    await pictures('temporary-01-asked')
    const write = async (next: string, again: string) => {
      await page.getByLabel('Senha provisória', { exact: true }).fill(password)
      await page.getByLabel('Nova senha', { exact: true }).fill(next)
      await page.getByLabel('Confirmar nova senha', { exact: true }).fill(again)
      await button('Salvar nova senha').click()
    }
    await write('curta', 'curta')
    await page.getByText('A senha deve ter pelo menos 6 caracteres.').waitFor()
    await write('girafa azul', 'girafa verde')
    await page.getByText('As senhas não coincidem.').waitFor()
    await pictures('temporary-02-unlike')
    await write('girafa azul', 'girafa azul')
    await page.getByText('Senha trocada').waitFor()
    await window.close()
  })

  it('decides about an account after asking, and names what failed', async () => {
    const { page, product, marina, rita, visit, button, dialog, toast, closeToast, pictures } = on()
    const ofRita = async (action: string) => {
      await visit('/admin', 'Painel Administrativo')
      await findUser(page, rita.email)
      await choose('Marina Alves', action)
    }
    await ofRita('Editar perfil')
    await dialog('Editar perfil').getByLabel('Email').fill(marina.email)
    await button('Salvar alterações').click()
    await toast('Já existe uma conta com este e-mail.').waitFor()
    await pictures('users-01-taken')
    await dialog('Editar perfil').getByLabel('Email').fill('')
    await dialog('Editar perfil').getByLabel('Nome', { exact: true }).fill('Rita')
    await whileRefusingEvents(product, ['user'], async () => {
      await button('Salvar alterações').click()
      await toast('Falha ao atualizar perfil do usuário').waitFor()
    })
    await button('Salvar alterações').click()
    await toast('Perfil do usuário atualizado com sucesso!').waitFor()
    await dialog().waitFor({ state: 'detached' })

    await visit('/admin', 'Painel Administrativo')
    await findUser(page, rita.email)
    await choose('Rita Alves', 'Gerenciar')
    const manage = dialog('Gerenciar Rita Alves')
    await pictures('users-02-managing')
    const decide = async (action: string, title: string, confirm: string, outcome: string) => {
      await manage.getByRole('button', { name: action, exact: true }).click()
      await dialog(title).getByRole('button', { name: confirm, exact: true }).click()
      await toast(outcome).waitFor()
    }
    const erasing = dialog('Excluir usuário?')
    await whileRefusingEvents(product, ['subscription', 'user', 'entitlement'], async () => {
      await decide('Estender acesso', 'Estender acesso?', 'Estender acesso', 'Falha ao estender acesso do usuário')
      await dialog('Estender acesso?').waitFor({ state: 'detached' })
      await manage.getByText('Cancelado', { exact: true }).click()
      await decide('Mudar status', 'Mudar o status?', 'Mudar status', 'Falha ao atualizar status do usuário')
      await dialog('Mudar o status?').waitFor({ state: 'detached' })
      await decide('Remover acesso', 'Remover acesso?', 'Remover acesso', 'Falha ao remover acesso do usuário')
      await dialog('Remover acesso?').waitFor({ state: 'detached' })
      await pictures('users-03-access-not-removed')
      await manage.getByRole('button', { name: 'Excluir usuário' }).click()
      await erasing.getByLabel('Motivo').fill('Pediu por telefone')
      await erasing.getByLabel('Para confirmar, digite “apagar”').fill('apagar')
      await pictures('users-04-erasing')
      await erasing.getByRole('button', { name: 'Excluir para sempre' }).click()
      await toast('Falha ao excluir usuário').waitFor()
      await erasing.getByRole('button', { name: 'Cancelar' }).click()
      await erasing.waitFor({ state: 'detached' })
    })
    const done = async (action: string, title: string, confirm: string, outcome: string) => {
      await decide(action, title, confirm, outcome)
      await dialog().waitFor({ state: 'detached' })
      await closeToast()
    }
    await done('Estender acesso', 'Estender acesso?', 'Estender acesso', 'Acesso do usuário estendido com sucesso!')
    await choose('Rita Alves', 'Gerenciar')
    await manage.getByText('Cancelado', { exact: true }).click()
    await done('Mudar status', 'Mudar o status?', 'Mudar status', 'Status do usuário atualizado com sucesso!')
    await choose('Rita Alves', 'Gerenciar')
    await done('Remover acesso', 'Remover acesso?', 'Remover acesso', 'Acesso do usuário removido com sucesso!')
    await choose('Rita Alves', 'Gerenciar')
    await manage.getByLabel('Motivo (opcional)').fill('Pediu por telefone')
    await manage.getByRole('button', { name: 'Excluir usuário' }).click()
    await erasing.getByLabel('Para confirmar, digite “apagar”').fill('apagar')
    await erasing.getByRole('button', { name: 'Excluir para sempre' }).click()
    await toast('Usuário excluído com sucesso!').waitFor()
    await dialog().waitFor({ state: 'detached' })
    await closeToast()
    await page.getByText('Nenhum usuário encontrado').waitFor()
    await pictures('users-05-nobody-found')
  })
}

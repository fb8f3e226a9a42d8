import { it } from 'vitest'
import type { OnStage } from './settings-stage.ts'

/** Leaves one reply. */
export const quickRepliesChapter = (on: OnStage) => {
  it('keeps quick replies: creates, corrects, switches off, deletes', async () => {
    const { page, button, dialog, sees, pictures } = on()
    await page.getByRole('link', { name: 'Respostas Rápidas' }).click()
    await page.getByText('Nenhuma resposta rápida ainda').waitFor()
    await pictures('replies-01-none')
    const add = async (shortcut: string, content: string) => {
      await button('Nova Resposta Rápida').click()
      await page.getByLabel('Atalho').fill(shortcut)
      await page.getByLabel('Conteúdo').fill(content)
      await button('Criar').click()
    }
    await add('', '')
    await page.getByText('Informe o atalho.').waitFor()
    await page.getByText('Atalho e conteúdo são obrigatórios').waitFor()
    await pictures('replies-02-missing')
    await button('Cancelar').click()
    await dialog().waitFor({ state: 'detached' })
    await add('pix', 'Nossa chave Pix é o CNPJ da padaria: 12.345.678/0001-90.')
    await page.getByRole('heading', { name: '/pix' }).waitFor()
    await dialog().waitFor({ state: 'detached' })
    await add('horario', 'Abrimos de segunda a sábado, das 6h às 20h.\nNo domingo, das 7h às 13h.')
    await page.getByRole('heading', { name: '/horario' }).waitFor()
    await dialog().waitFor({ state: 'detached' })
    await add('pix', 'Outra chave')
    await page
      .getByRole('dialog')
      .getByText(/atalho/i)
      .last()
      .waitFor()
    await sees('replies-03-taken')
    await button('Cancelar').click()
    await dialog().waitFor({ state: 'detached' })

    await button('Editar /horario').click()
    await page.getByLabel('Conteúdo').fill('Abrimos todos os dias, das 6h às 20h.')
    await pictures('replies-04-editing')
    await button('Salvar').click()
    await dialog().waitFor({ state: 'detached' })
    await page.getByText('Abrimos todos os dias, das 6h às 20h.').waitFor()
    await page.getByRole('switch', { name: 'Oferecer /horario no bate-papo' }).click()
    await page.getByText('Inativo', { exact: true }).waitFor()
    await sees('replies-05-inactive')
    await button('Excluir /horario').click()
    await dialog('Excluir /horario').waitFor()
    await pictures('replies-06-deleting')
    await dialog('Excluir /horario').getByRole('button', { name: 'Excluir' }).click()
    await page.getByRole('heading', { name: '/horario' }).waitFor({ state: 'detached' })
  })
}

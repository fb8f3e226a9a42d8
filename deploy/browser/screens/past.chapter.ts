import { until } from '@prosa/kernel/testing/until'
import { expect, it } from 'vitest'
import { sayWhy } from '../say-why.ts'
import type { OnStage } from './screens-stage.ts'

const seeing = /^Você está vendo \d\d\/\d\d\/\d{4} \d\d:\d\d$/

/** Subjects of one's own history, what happened, and what the record is like right after it. */
const subjects = [
  { name: 'label', subject: 'label', what: 'criou a etiqueta', shows: 'Orçamento', hidden: 'Editar Orçamento' },
  {
    name: 'reply',
    subject: 'quickReply',
    what: 'criou a resposta',
    shows: 'Nossa chave Pix é o CNPJ',
    hidden: 'Editar /pix',
  },
  { name: 'connection', subject: 'connection', what: 'conectado', shows: 'Padaria Sol', hidden: 'Desconectar' },
  { name: 'flow', subject: 'flow', what: 'publicou', shows: 'Versão 1, ligado', hidden: 'Publicar' },
  { name: 'company', subject: 'company', what: 'dados da empresa', shows: 'Notificações', hidden: 'Salvar' },
  { name: 'hours', subject: 'hours', what: 'horários', shows: 'Segunda-feira', hidden: 'Salvar horários' },
  { name: 'contact', subject: 'contact', what: 'Ana', shows: 'Ana Souza', hidden: 'Aceitar' },
  { name: 'account', subject: 'account', what: 'abriu uma conta', shows: 'Marina Alves', hidden: 'Salvar' },
] as const

/** Marina is an administrator with one of everything. Leaves her in the panel. */
export const pastOfRecords = (on: OnStage) => {
  it('changes what it made', async () => {
    const { marina } = on()
    const [label] = await marina.get<{ id: string }[]>('/api/labels')
    await marina.ask('PATCH', `/api/labels/${label?.id}`, { name: 'Proposta', colour: 'red' })
    const flow = await marina.post<{ id: string }>('/api/flows', { name: 'Boas-vindas' })
    await marina.post(`/api/flows/${flow.id}/publish`, { basedOn: 0 })
    const open = [{ from: '08:00', to: '18:00' }]
    const week = Array.from({ length: 7 }, () => open)
    await marina.ask('PUT', '/api/opening-hours', { timeZone: 'America/Manaus', week, holidays: [] })
    await marina.ask('PUT', '/api/company', {
      ...{ name: 'Padaria Sol', email: '', phone: '', website: '', address: 'Rua das Flores, 1' },
    })
    const { items } = await until(async () => {
      const page = await marina.get<{ items: object[] }>('/api/history?kind=company')
      return page.items.length > 0 ? page : undefined
    })
    expect(items).not.toEqual([])
  })

  it.each(subjects)('shows what $name was right after an entry, in the frame of the past', async (given) => {
    const { page, visit, sees } = on()
    const { name, subject, what, shows, hidden } = given
    await visit(`/settings?secao=historico&assunto=${subject}`, 'Histórico')
    const entry = page.getByRole('list', { name: 'Histórico' }).locator('.timeline-entry').filter({ hasText: what })
    await entry.getByRole('link', { name: 'Ver como era' }).last().click()
    await page.getByText(seeing).waitFor()
    await page
      .getByText(shows)
      .or(page.locator(`input[value*="${shows}"]`))
      .first()
      .waitFor()
    expect(await page.getByRole('button', { name: hidden, exact: true }).count()).toBe(0)
    await sees(`past-${name}`)
  })

  it('sets two moments beside each other, and leads back to today', async () => {
    const { page, visit, sees, button } = on()
    await visit('/settings?secao=historico&assunto=label', 'Histórico')
    const entries = page.getByRole('list', { name: 'Histórico' }).locator('.timeline-entry')
    await entries.filter({ hasText: 'criou a etiqueta' }).getByRole('link', { name: 'Ver como era' }).click()
    await page.getByText(seeing).waitFor()
    await button('O que mudou desde então').click()
    await page.getByRole('table', { name: /mudou|mudaram/ }).waitFor()
    await sees('past-two-moments')
    await button('Comparar com: mudança anterior').click()
    await button('Próxima mudança').first().click()
    await page.getByText(seeing).waitFor()
    await page.getByRole('link', { name: 'Voltar para agora' }).click()
    await page.getByText('Proposta').waitFor()
    expect(await page.getByText(seeing).count()).toBe(0)
  })

  it('says why a moment cannot be shown', async () => {
    const { page, visit } = on()
    await visit('/settings?secao=etiquetas&em=ontem', 'Configurações')
    await page.getByText('Este momento não existe. Escolha outro na linha do tempo.').first().waitFor()
    await page.getByRole('link', { name: 'Voltar para agora' }).click()
    await page.getByText('Proposta').waitFor()
  })

  it('shows administrators a user and a conversation as they were, once they said why', async () => {
    const { page, visit, sees, rita, marina, button } = on()
    const { id } = await rita.get<{ id: string }>('/api/auth/user')
    const user = visit(`/admin?aba=historico&registro=user:${id}`, 'Painel Administrativo')
    await sayWhy(on())
    await user
    await page.getByRole('link', { name: 'Ver como era' }).first().click()
    await page.getByText(seeing).waitFor()
    await page.getByText('Acesso até', { exact: true }).first().waitFor()
    await sees('past-admin-user')
    const [contact] = await marina.contacts('waiting')
    const conversation = visit(`/admin?aba=historico&registro=contact:${contact?.id}`)
    await sayWhy(on())
    await conversation
    await page.getByRole('list', { name: 'Histórico' }).getByRole('link', { name: 'Ver como era' }).first().click()
    await page.getByText(seeing).waitFor()
    await page.getByLabel('Mostrar o que foi escrito (a leitura fica registrada)').check()
    await page.getByRole('list', { name: 'Mensagens como eram' }).getByText('Bom dia!').waitFor()
    await sees('past-admin-conversation')
    await button('O que mudou desde então').click()
    await page.getByRole('table').first().waitFor()
  })
}

import { later } from '@prosa/kernel/clock'
import { until } from '@prosa/kernel/testing/until'
import { describe, expect, it } from 'vitest'
import { makeAdmin } from '../../test/give-role.ts'
import { reportPayment } from '../../test/kiwify-payment.ts'
import { isLongWalk } from '../long-walk.ts'
import { sayWhy } from '../say-why.ts'
import { addPhone } from '../simulated-phone.ts'
import type { OnStage } from './screens-stage.ts'

const monthMs = 30 * 24 * 3600 * 1000

const screens = [
  { name: 'dashboard', path: '/', heading: 'Olá, Marina' },
  { name: 'live-chat', path: '/live-chat' },
  { name: 'flow-folders', path: '/conversation-flows', heading: 'Fluxos de Conversa' },
  { name: 'flow-order', path: '/conversation-flows?aba=quem-responde', heading: 'Fluxos de Conversa' },
  { name: 'flows', path: '/conversation-flows?aba=fluxos&status=draft', heading: 'Fluxos de Conversa' },
  { name: 'settings-connections', path: '/settings', heading: 'Conexões' },
  { name: 'settings-replies', path: '/settings?secao=respostas-rapidas', heading: 'Respostas Rápidas' },
  { name: 'settings-labels', path: '/settings?secao=etiquetas', heading: 'Etiquetas' },
  { name: 'settings-fields', path: '/settings?secao=campos', heading: 'Campos de contatos' },
  { name: 'settings-hours', path: '/settings?secao=horarios', heading: 'Horários' },
  { name: 'settings-default-flow', path: '/settings?secao=fluxo-padrao', heading: 'Fluxo padrão' },
  { name: 'settings-company', path: '/settings?secao=empresa', heading: 'Empresa' },
  { name: 'settings-integrations', path: '/settings?secao=integracoes', heading: 'Chaves de API' },
  { name: 'settings-history', path: '/settings?secao=historico', heading: 'Histórico' },
  { name: 'sessions', path: '/whatsapp-sessions', heading: 'WhatsApp Sessions' },
  { name: 'data', path: '/data', heading: 'Dados' },
  { name: 'profile', path: '/profile', heading: 'Perfil' },
  { name: 'billing-plan', path: '/billing', heading: 'Faturamento' },
  { name: 'billing-plans', path: '/billing?aba=planos', heading: 'Faturamento' },
  { name: 'billing-invoices', path: '/billing?aba=faturas', heading: 'Faturamento' },
  { name: 'help', path: '/help', heading: 'Central de Ajuda' },
  { name: 'help-guide', path: '/help?tema=guia' },
  { name: 'help-tutorials', path: '/help?tema=tutoriais' },
  { name: 'help-cases', path: '/help?tema=casos' },
]

const panel = [
  'usuarios',
  'contatos',
  'mensagens',
  'projetos',
  'transacoes',
  'planos',
  'webhook',
  'historico',
  'manutencao',
  'suporte',
]

/** Marina is signed in without data. Leaves her an administrator with one of everything, and the panel open. */
export const everyScreen = (on: OnStage) => {
  // axe checks the filled screens in `npm test` too.
  describe.runIf(isLongWalk)('before anything is there', () => {
    const empty = screens.filter(({ name }) => /^(dashboard|settings|sessions|billing)/.test(name))
    it.each(empty)('shows $path with a way on, and nothing for axe to find', async ({ name, path, heading }) => {
      await on().visit(path, heading)
      await on().pictures(`empty-${name}`)
    })
  })

  it('keeps the panel from those who do not administrate Prosa', async () => {
    const { page, visit, sees } = on()
    await visit('/admin')
    await page.getByText('Acesso Negado').waitFor()
    await page.getByText('Você não tem permissão para acessar esta página.').waitFor()
    await sees('screen-admin-denied')
  })

  it('fills with what one day brings', async () => {
    const { page, product, marina, rita, shop, ana, visit } = on()
    await makeAdmin(product, marina)
    await marina.link(shop, 'Padaria Sol')
    await ana.write(shop.number, 'Bom dia! Vocês abrem no domingo?')
    const waiting = await until(async () => (await marina.contacts('waiting'))[0])
    const label = await marina.post<{ id: string }>('/api/labels', { name: 'Orçamento', colour: 'blue' })
    await marina.post(`/api/labels/${label.id}/contacts`, { contactIds: [waiting.id], isLabelled: true })
    await marina.post('/api/quick-replies', { shortcut: 'pix', content: 'Nossa chave Pix é o CNPJ da padaria.' })
    await marina.post('/api/admin/kiwify-plans', {
      ...{ planId: 'profissional', planName: 'Profissional', productId: 'P-1', productName: 'Prosa Profissional' },
      ...{ price: 'R$ 97,00', accessDays: '30', purchaseUrl: 'https://pay.kiwify.com.br/AbCdEfG' },
    })
    await marina.post('/api/support/requests', { subject: 'Recibos', message: 'Onde estão?', priority: 'high' })
    await reportPayment(product, rita, later(new Date().toISOString(), monthMs))
    await page.reload()
    await visit('/', 'Olá, Marina')
  })

  it('keeps an address book of emojis in its lines, and what nobody can see is no name', async () => {
    const { page, product, shop, visit, sees } = on()
    const names = ['🌻', '👨‍👩‍👧‍👦 da Feira', '🇧🇷🇦🇷', 'سارة', '\u200E\u3164\u200B', 'Bernadete'.repeat(6)]
    for (const [index, name] of names.entries()) {
      const phone = await addPhone(product.url, name, `1197777000${index}`)
      await phone.write(shop.number, 'Oi')
    }
    await visit('/live-chat')
    const row = (name: string) => page.getByRole('listbox').getByRole('option', { name })
    for (const name of ['🌻', '👨‍👩‍👧‍👦 da Feira', '🇧🇷🇦🇷', 'سارة', '(11) 97777-0004', 'Bernadete'])
      await row(name).waitFor()
    await sees('screen-live-chat-emojis')
    const heights = await row('').evaluateAll((rows) => rows.map((each) => each.getBoundingClientRect().height))
    expect(new Set(heights).size).toBe(1)
    await page.getByRole('combobox', { name: 'Buscar atendimento e mensagens' }).fill('🌻')
    await row('Bernadete').waitFor({ state: 'detached' })
    await page.getByRole('option').filter({ hasText: '🌻' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await page.getByRole('button', { name: 'Limpar busca' }).click()
  })

  it.each(screens)('shows $path, and axe finds nothing there', async ({ name, path, heading }) => {
    await on().visit(path, heading)
    await on().sees(`screen-${name}`)
  })

  it('asks once why, before it shows administrators whose data there are', async () => {
    const { visit, sees } = on()
    const opened = visit('/admin?aba=usuarios')
    await sayWhy(on(), () => sees('screen-admin-why'))
    await opened
  })

  it.each(panel)('shows the tab %s of the panel, and axe finds nothing there', async (tab) => {
    const { page, visit, sees } = on()
    await visit(`/admin?aba=${tab}`, 'Painel Administrativo')
    await page.getByRole('tabpanel').waitFor()
    await sees(`screen-admin-${tab}`)
  })
}

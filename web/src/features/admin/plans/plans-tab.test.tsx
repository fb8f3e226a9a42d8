import type { Plan } from '@prosa/contracts/http/accounts/plans'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../../app/app-shell.tsx'
import '../admin-page.tsx'
import './plans-tab.tsx'

withProsaServer()

const pro: Plan = {
  ...{ id: '5a6b', planId: 'profissional', planName: 'Profissional', productId: 'P-1', productName: 'Prosa Pro' },
  ...{ accessDays: 30, price: 'R$ 97,00', description: '', purchaseUrl: 'https://pay.kiwify.com.br/AbC' },
}
let stored: Plan[] = []
let asked: unknown[] = []

beforeEach(() => {
  stored = [pro]
  asked = []
  const path = '/api/admin/kiwify-plans'
  const unused = { hasShortToken: false, lastReceivedAt: null }
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json({ ...anUser, roles: ['admin'] })),
    http.get('/api/admin/summary', () => refuse('unavailable')),
    http.get(path, () => HttpResponse.json(stored)),
    http.get('/api/admin/kiwify-webhooks', () =>
      HttpResponse.json([
        { endpoint: 'approved', path: '/kiwify/payment/approved', isConfigured: true, ...unused },
        { endpoint: 'refunded', path: '/kiwify/payment/refunded', isConfigured: false, ...unused },
      ]),
    ),
    http.post(path, async ({ request }) => {
      asked.push(await request.json())
      stored = [...stored, { ...pro, id: 'new', planName: 'Empresarial' }]
      return HttpResponse.json(stored.at(-1), { status: 201 })
    }),
    http.put(`${path}/:id`, async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json(pro)
    }),
    http.delete(`${path}/:id`, async ({ params, request }) => {
      asked.push([params.id, await request.json()])
      stored = []
      return HttpResponse.json({ id: params.id })
    }),
  )
})

const open = () => renderApp('/admin?aba=planos')
const toast = (text: string) => within(screen.getByLabelText('Avisos (F8)')).findByText(text)
const choose = async (action: string) => {
  await userEvent.click(await screen.findByLabelText('Ações de Profissional'))
  await userEvent.click(screen.getByRole('menuitem', { name: action }))
}
const write = async (label: string, text: string) => {
  const field = screen.getByLabelText(label)
  await userEvent.clear(field)
  await userEvent.type(field, text)
}

describe('the tab Planos', () => {
  it('copies the two addresses for Kiwify, and warns where no token verifies what comes there', async () => {
    const copied = vi.fn(async () => undefined)
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: copied }, configurable: true })
    open()
    await userEvent.click(await screen.findByLabelText('Copiar o link: Compras'), { skipHover: true })
    expect(await toast('Link copiado!')).toBeTruthy()
    expect(copied).toHaveBeenCalledWith(`${window.location.origin}/kiwify/payment/approved`)
    const refunds = within(screen.getByText('Reembolsos').closest('li') as HTMLElement)
    expect(refunds.getByText('Sem token')).toBeTruthy()
    expect(refunds.getByText('PROSA_KIWIFY_REFUNDED_TOKENS')).toBeTruthy()
    copied.mockRejectedValue(new Error('not allowed'))
    document.execCommand = () => false
    await userEvent.click(screen.getByLabelText('Copiar o link: Reembolsos'), { skipHover: true })
    expect(await toast('Erro ao copiar')).toBeTruthy()
    expect(await toast('Não foi possível copiar o link. Tente novamente.')).toBeTruthy()
  })

  it('creates a plan once everything that it needs is there', async () => {
    open()
    await userEvent.click(await screen.findByText('Novo plano'))
    await write('Nome do plano', 'Empresarial')
    await userEvent.click(screen.getByText('Criar'))
    expect(await toast('Por favor, preencha todos os campos obrigatórios')).toBeTruthy()
    for (const label of ['ID do plano', 'ID do produto', 'Nome do produto'])
      expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true')
    expect(asked).toEqual([])
    await write('ID do plano', 'empresarial')
    await write('ID do produto', 'P-2')
    await write('Nome do produto', 'Prosa Empresas')
    await userEvent.click(screen.getByText('Criar'))
    expect(await toast('Plano criado')).toBeTruthy()
    expect(asked).toMatchObject([{ planId: 'empresarial', planName: 'Empresarial', accessDays: '', price: '' }])
    expect(await screen.findByText('Empresarial')).toBeTruthy()
  })

  it('shows at the field what the server refuses, and keeps what was written', async () => {
    const message = 'Já existe um plano com este ID.'
    const errors = [{ field: 'planId', message }]
    prosaServer.use(http.post('/api/admin/kiwify-plans', () => refuse('plan_id_taken', errors)))
    open()
    await userEvent.click(await screen.findByText('Novo plano'))
    for (const label of ['ID do plano', 'Nome do plano', 'ID do produto', 'Nome do produto']) await write(label, 'x')
    await userEvent.click(screen.getByText('Criar'))
    expect(await screen.findByText(message, { selector: '.field-error' })).toBeTruthy()
    prosaServer.use(http.post('/api/admin/kiwify-plans', () => refuse('unexpected')))
    await userEvent.click(screen.getByText('Criar'))
    expect(await toast('Erro ao criar plano')).toBeTruthy()
    expect(screen.getByLabelText('Nome do produto')).toHaveProperty('value', 'x')
  })

  it('edits a plan, whose id stays', async () => {
    open()
    await choose('Editar')
    expect(screen.getByLabelText('ID do plano')).toHaveProperty('readOnly', true)
    await write('Preço', 'R$ 127,00')
    await write('Motivo', 'Novo ano')
    await userEvent.click(screen.getByText('Salvar'))
    expect(await toast('Plano atualizado')).toBeTruthy()
    expect(asked).toMatchObject([{ planId: 'profissional', price: 'R$ 127,00', accessDays: '30', reason: 'Novo ano' }])
  })

  it('deletes a plan after asking', async () => {
    open()
    await choose('Excluir')
    await userEvent.click(screen.getByText('Cancelar'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(asked).toEqual([])
    await choose('Excluir')
    await userEvent.click(screen.getByText('Excluir', { selector: 'button' }))
    expect(await toast('Plano excluído')).toBeTruthy()
    expect(asked).toEqual([['5a6b', { reason: '' }]])
    expect(await screen.findByText('Nenhum plano à venda')).toBeTruthy()
  })
})

import type { Plan } from '@prosa/contracts/http/accounts/plans'
import type { AdminTransaction } from '@prosa/contracts/http/accounts/transactions'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../../app/app-shell.tsx'
import '../admin-page.tsx'
import './transactions-tab.tsx'

withProsaServer()

const paid: AdminTransaction = {
  id: '7ea1',
  transactionId: 'aBcDeF1',
  createdAt: '2026-06-08T15:00:00.000Z',
  event: 'compra_aprovada',
  amount: 9700,
  productName: 'Prosa Profissional',
  planName: 'Empresarial',
  lacksPlan: false,
  status: 'approved',
  paymentMethod: 'pix',
  owner: { id: anUser.id, name: 'Marina Azevedo', email: anUser.email },
  buyerName: 'Marina',
  buyerEmail: anUser.email,
  isErasedBuyerCharged: false,
  isHidden: false,
}
const unclaimed: AdminTransaction = {
  ...paid,
  id: '7ea2',
  transactionId: 'XyZ7890',
  event: 'compra_recusada',
  planName: null,
  lacksPlan: true,
  status: 'declined',
  owner: null,
  buyerName: 'Rita',
  buyerEmail: 'rita@example.com',
}

const aPlan: Plan = {
  id: 'p1',
  planId: 'profissional',
  planName: 'Profissional',
  productId: 'k1',
  productName: 'Prosa Profissional',
  accessDays: 30,
  price: 'R$ 97,00',
  description: '',
  purchaseUrl: null,
}

let asked: unknown[] = []
let queries: string[] = []
beforeEach(() => {
  asked = []
  queries = []
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json({ ...anUser, roles: ['admin'] })),
    http.get('/api/admin/summary', () => refuse('unavailable')),
    http.get('/api/admin/transactions', ({ request }) => {
      queries.push(new URL(request.url).search)
      return HttpResponse.json({ items: [unclaimed, paid], nextCursor: null })
    }),
    http.delete('/api/admin/transactions/:id', async ({ params, request }) => {
      asked.push([params.id, await request.json()])
      return HttpResponse.json({ id: params.id })
    }),
    http.get('/api/admin/kiwify-plans', () =>
      HttpResponse.json([aPlan, { ...aPlan, id: 'p2', planName: 'Anual', accessDays: 365 }]),
    ),
    http.post('/api/admin/transactions/:id/plan', async ({ params, request }) => {
      asked.push([params.id, await request.json()])
      return HttpResponse.json({ id: params.id, planId: 'p2' })
    }),
    http.post('/api/admin/buyers/erase', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ orders: 1, deliveries: 3 })
    }),
    http.post('/api/admin/transactions/:id/assign', async ({ params, request }) => {
      asked.push([params.id, await request.json()])
      return HttpResponse.json({ id: params.id, userId: anUser.id })
    }),
  )
})

const toasts = () => within(screen.getByLabelText('Avisos (F8)'))
const choose = async (transaction: string, action: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `Ações de ${transaction}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

describe('Transações', () => {
  it('shows whose each is and whether the money came', async () => {
    renderApp('/admin?aba=transacoes')
    const first = within(await screen.findByRole('row', { name: /aBcDeF1/ }))
    for (const text of ['Plano Empresarial', 'Marina Azevedo', 'Aprovado']) expect(first.getByText(text)).toBeTruthy()
    const second = within(screen.getByRole('row', { name: /XyZ7890/ }))
    for (const text of ['Sem conta', 'Recusado', 'Sem plano']) expect(second.getByText(text)).toBeTruthy()
  })

  it('asks for those without an account alone', async () => {
    renderApp('/admin?aba=transacoes')
    await userEvent.click(await screen.findByRole('switch', { name: 'Só as sem conta' }))
    await waitFor(() => expect(queries).toContain('?unclaimed=true'))
  })

  it('asks for those without a plan alone, in the list and in the file', async () => {
    renderApp('/admin?aba=transacoes')
    await userEvent.click(await screen.findByRole('switch', { name: 'Só as sem plano' }))
    await waitFor(() => expect(queries).toContain('?withoutPlan=true'))
    expect(screen.getByRole('link', { name: 'Baixar CSV' }).getAttribute('href')).toMatch(/withoutPlan=true/)
  })

  it('decides, with a reason, which plan a purchase is of that has none, and offers it nowhere else', async () => {
    renderApp('/admin?aba=transacoes')
    await userEvent.click(await screen.findByRole('button', { name: 'Ações de aBcDeF1' }))
    expect(screen.queryByRole('menuitem', { name: 'Escolher o plano' })).toBeNull()
    await userEvent.keyboard('{Escape}')
    await choose('XyZ7890', 'Escolher o plano')
    const press = await screen.findByRole('button', { name: 'Escolher' })
    await userEvent.selectOptions(await screen.findByLabelText('Plano'), 'Anual (365 dias)')
    expect(press).toHaveProperty('disabled', true)
    await userEvent.type(screen.getByLabelText('Motivo'), 'vendido por fora')
    await userEvent.click(press)
    expect(await toasts().findByText('Plano da compra escolhido com sucesso!')).toBeTruthy()
    expect(asked).toEqual([['7ea2', { planId: 'p2', reason: 'vendido por fora' }]])
  })

  it('deletes one after asking, with the reason', async () => {
    renderApp('/admin?aba=transacoes')
    await choose('aBcDeF1', 'Excluir')
    expect(screen.getByText(/O acesso do cliente não muda/)).toBeTruthy()
    await userEvent.type(screen.getByLabelText('Motivo'), 'era um teste')
    await userEvent.click(screen.getByRole('button', { name: 'Excluir' }))
    expect(await toasts().findByText('Transação excluída com sucesso!')).toBeTruthy()
    expect(asked).toEqual([['7ea1', { reason: 'era um teste' }]])
  })

  it('brings a hidden one back, with a reason', async () => {
    prosaServer.use(
      http.get('/api/admin/transactions', ({ request }) => {
        const isHidden = new URL(request.url).searchParams.get('hidden') === 'true'
        return HttpResponse.json({ items: isHidden ? [{ ...paid, isHidden }] : [paid], nextCursor: null })
      }),
      http.post('/api/admin/transactions/:id/restore', async ({ params, request }) => {
        asked.push([params.id, await request.json()])
        return HttpResponse.json({ id: params.id })
      }),
    )
    renderApp('/admin?aba=transacoes&ocultas=sim')
    await userEvent.click(await screen.findByRole('button', { name: `Ações de ${paid.transactionId}` }))
    expect(screen.queryByRole('menuitem', { name: 'Excluir' })).toBeNull()
    await userEvent.click(screen.getByRole('menuitem', { name: 'Trazer de volta' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('Motivo'), 'era uma venda')
    await userEvent.click(dialog.getByRole('button', { name: 'Trazer de volta' }))
    await waitFor(() => expect(asked).toEqual([[paid.id, { reason: 'era uma venda' }]]))
  })

  it('shows it when one could not be deleted', async () => {
    prosaServer.use(http.delete('/api/admin/transactions/:id', () => refuse('unexpected')))
    renderApp('/admin?aba=transacoes')
    await choose('aBcDeF1', 'Excluir')
    await userEvent.click(screen.getByRole('button', { name: 'Excluir' }))
    expect(await toasts().findByText('Falha ao excluir transação')).toBeTruthy()
  })

  it('gives a purchase without an account to one, and shows at the field where there is none', async () => {
    renderApp('/admin?aba=transacoes')
    const message = 'Não há uma conta com este e-mail.'
    prosaServer.use(
      http.post('/api/admin/transactions/:id/assign', () => refuse('user_not_found', [{ field: 'email', message }]), {
        once: true,
      }),
    )
    await choose('XyZ7890', 'Entregar a uma conta')
    expect(screen.getByLabelText('E-mail da conta')).toHaveProperty('value', 'rita@example.com')
    await userEvent.click(screen.getByRole('button', { name: 'Entregar' }))
    expect(await screen.findByText(message, { selector: '.field-error' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Entregar' }))
    expect(await toasts().findByText('Compra entregue à conta com sucesso!')).toBeTruthy()
    expect(asked).toEqual([['7ea2', { email: 'rita@example.com' }]])
  })

  it('moves a purchase to another account, with a reason', async () => {
    renderApp('/admin?aba=transacoes')
    await choose('aBcDeF1', 'Passar a outra conta')
    expect(screen.getByText(/A conta de Marina Azevedo perde esse acesso/)).toBeTruthy()
    await userEvent.type(screen.getByLabelText('E-mail da conta'), 'rita@example.com')
    expect(screen.getByRole('button', { name: 'Passar à conta' })).toHaveProperty('disabled', true)
    await userEvent.type(screen.getByLabelText('Motivo'), 'comprou para a irmã')
    await userEvent.click(screen.getByRole('button', { name: 'Passar à conta' }))
    expect(await toasts().findByText('Compra entregue à conta com sucesso!')).toBeTruthy()
    expect(asked).toEqual([['7ea1', { email: 'rita@example.com', reason: 'comprou para a irmã' }]])
  })

  it('marks a charge of somebody who was erased', async () => {
    const charged = { ...paid, owner: { id: anUser.id, name: null, email: null }, isErasedBuyerCharged: true }
    prosaServer.use(
      http.get('/api/admin/transactions', () => HttpResponse.json({ items: [unclaimed, charged], nextCursor: null })),
    )
    renderApp('/admin?aba=transacoes')
    const row = within(await screen.findByRole('row', { name: /aBcDeF1/ }))
    expect(row.getByText('Cobrança de quem foi apagado')).toBeTruthy()
    expect(screen.getAllByText('Cobrança de quem foi apagado')).toHaveLength(1)
  })
})

describe('erasing a buyer', () => {
  const fill = async () => {
    renderApp('/admin?aba=transacoes')
    await userEvent.click(await screen.findByRole('button', { name: 'Apagar comprador' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Apagar um comprador' }))
    const press = () => userEvent.click(dialog.getByRole('button', { name: 'Apagar dados' }))
    await userEvent.type(dialog.getByLabelText('E-mail do comprador'), 'rita@example.com')
    return { dialog, press }
  }

  it('asks for the address, a reason and the word, and says what was erased', async () => {
    const { dialog, press } = await fill()
    const button = dialog.getByRole('button', { name: 'Apagar dados' })
    expect(button).toHaveProperty('disabled', true)
    await userEvent.type(dialog.getByLabelText('Motivo'), 'pediu por e-mail')
    await userEvent.type(dialog.getByLabelText(/digite “apagar”/), 'apaga')
    expect(button).toHaveProperty('disabled', true)
    await userEvent.type(dialog.getByLabelText(/digite “apagar”/), 'r')
    await press()
    expect(await toasts().findByText(/Dados de 1 compra e 3 avisos apagados/)).toBeTruthy()
    expect(asked).toEqual([{ email: 'rita@example.com', reason: 'pediu por e-mail', confirmation: 'apagar' }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('points to the account where the address has one, and keeps what was written', async () => {
    prosaServer.use(http.post('/api/admin/buyers/erase', () => refuse('address_has_account')))
    const { dialog, press } = await fill()
    await userEvent.type(dialog.getByLabelText('Motivo'), 'pediu por e-mail')
    await userEvent.type(dialog.getByLabelText(/digite “apagar”/), 'Apagar')
    await press()
    await waitFor(() => expect(dialog.getByRole('alert').textContent).toContain('Exclua a conta, na aba Usuários'))
    expect(dialog.getByLabelText('E-mail do comprador')).toHaveProperty('value', 'rita@example.com')
  })

  it('shows at its field what is wrong with the address', async () => {
    const message = 'Informe um e-mail válido.'
    prosaServer.use(
      http.post('/api/admin/buyers/erase', () => refuse('invalid_request', [{ field: 'email', message }])),
    )
    const { dialog, press } = await fill()
    await userEvent.type(dialog.getByLabelText('Motivo'), 'pediu por e-mail')
    await userEvent.type(dialog.getByLabelText(/digite “apagar”/), 'apagar')
    await press()
    expect(await dialog.findByText(message, { selector: '.field-error' })).toBeTruthy()
    expect(dialog.getByRole('alert').textContent).toBe('')
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('E-mail do comprador')))
  })
})

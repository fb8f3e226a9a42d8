import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { anUser, prosaServer, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

withProsaServer()

const tenantId = '7f1c8a52-6c3e-4a4e-8b5d-2f0d9b6a1c33'
const question = 'Por que você precisa ver estes dados?'
const until = '2099-01-01T00:00:00.000Z'

let stated: { tenantId: string | null; purpose: string; details?: string }[]
let asked: number
let keys: (string | null)[]
const needed = (tenant: string | null) =>
  HttpResponse.json(
    {
      type: 'purpose_needed',
      title: 'Diga primeiro por que você precisa ver estes dados.',
      status: 428,
      tenantId: tenant,
      correlationId: 'c',
    },
    { status: 428, headers: { 'content-type': 'application/problem+json' } },
  )
const empty = { items: [], nextCursor: null }
const isStated = (tenant: string | null) => stated.some((each) => each.tenantId === tenant)

beforeAll(async () => {
  await Promise.all([
    import('../../../app/app-shell.tsx'),
    import('../admin-page.tsx'),
    import('../users/users-tab.tsx'),
    import('../projects/projects-tab.tsx'),
  ])
}, 60_000)
beforeEach(() => {
  stated = []
  asked = 0
  keys = []
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json({ ...anUser, roles: ['admin'] })),
    http.get('/api/admin/summary', () => new HttpResponse(null, { status: 500 })),
    http.get('/api/admin/users', () => {
      asked++
      return isStated(null) ? HttpResponse.json({ items: [user], nextCursor: null }) : needed(null)
    }),
    http.get('/api/admin/projects', () => (isStated(null) ? HttpResponse.json(empty) : needed(null))),
    http.get('/api/admin/reading-purposes', () => HttpResponse.json({ until: isStated(null) ? until : null })),
    http.post('/api/admin/reading-purposes', async ({ request }) => {
      stated.push((await request.json()) as (typeof stated)[number])
      return HttpResponse.json({ until })
    }),
    http.post(`/api/admin/users/${tenantId}/exports`, ({ request }) => {
      keys.push(request.headers.get('idempotency-key'))
      return isStated(tenantId) ? HttpResponse.json({ id: anUser.id }, { status: 201 }) : needed(tenantId)
    }),
    http.get(
      `/api/admin/users/${tenantId}/exports/${anUser.id}`,
      () => new HttpResponse('zip', { headers: { 'content-type': 'application/zip' } }),
    ),
  )
})

const user = {
  id: tenantId,
  firstName: 'Rosa',
  lastName: 'Lima',
  email: 'rosa@floricultura.com.br',
  isEmailConfirmed: true,
  profileImageUrl: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  roles: [],
  subscriptionStatus: 'active',
  subscriptionEnd: null,
  isTrial: true,
}
const dialog = async () => within(await screen.findByRole('dialog', { name: question }))
const say = async (option: string, details = '') => {
  const asking = await dialog()
  await userEvent.selectOptions(asking.getByLabelText('Motivo'), option)
  if (details) await userEvent.type(asking.getByLabelText(/^(Detalhes|Qual motivo)/), details)
  await userEvent.click(asking.getByRole('button', { name: 'Ver dados' }))
}

describe('why an administrator needs to see personal data', () => {
  it('is asked before a list is shown, which comes by itself then', async () => {
    renderApp('/admin')
    const asking = await dialog()
    expect(asking.getByText(/dados pessoais de todas as contas/)).toBeTruthy()
    expect(asking.getByRole('button', { name: 'Ver dados' })).toHaveProperty('disabled', true)
    expect(screen.queryByText('rosa@floricultura.com.br')).toBeNull()
    expect(asking.queryByRole('button', { name: /^O mesmo motivo/ })).toBeNull()
    await say('Atender a um pedido de ajuda', 'Pedido 77')
    expect(await screen.findByText('rosa@floricultura.com.br')).toBeTruthy()
    expect(stated).toEqual([{ tenantId: null, purpose: 'support', details: 'Pedido 77' }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('has to be written where it is another one', async () => {
    renderApp('/admin')
    const asking = await dialog()
    await userEvent.selectOptions(asking.getByLabelText('Motivo'), 'Outro motivo')
    expect(asking.getByRole('button', { name: 'Ver dados' })).toHaveProperty('disabled', true)
    await userEvent.type(asking.getByLabelText('Qual motivo'), 'Auditoria')
    await userEvent.click(asking.getByRole('button', { name: 'Ver dados' }))
    expect(await screen.findByText('rosa@floricultura.com.br')).toBeTruthy()
    expect(stated).toEqual([{ tenantId: null, purpose: 'other', details: 'Auditoria' }])
  })

  it('is asked once for requests that wait for the same answer, and is not asked again by itself once declined', async () => {
    renderApp('/admin')
    await userEvent.click((await dialog()).getByRole('button', { name: 'Cancelar' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect((await screen.findAllByText(/Diga primeiro por que/)).length).toBeGreaterThan(0)
    expect(asked).toBe(1)
    await userEvent.click(screen.getByRole('button', { name: 'Informar o motivo' }))
    await say('Investigar uma falha')
    expect(await screen.findByText('rosa@floricultura.com.br')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Informar o motivo' })).toBeNull()
  })

  it('is asked again where somebody presses for the same once more', async () => {
    prosaServer.use(
      http.get('/api/admin/users', () => HttpResponse.json({ items: [user], nextCursor: null })),
      http.get('/api/admin/history', () => (isStated(tenantId) ? HttpResponse.json(empty) : needed(tenantId))),
    )
    const cancel = async () => userEvent.click((await dialog()).getByRole('button', { name: 'Cancelar' }))
    renderApp('/admin')
    const open = async () => {
      await userEvent.click(await screen.findByRole('button', { name: 'Ações de Rosa Lima' }))
      await userEvent.click(await screen.findByRole('menuitem', { name: 'Ver histórico' }))
    }
    await open()
    await cancel()
    await userEvent.click(await screen.findByRole('button', { name: 'Tentar de novo' }))
    await cancel()
    await userEvent.click(await screen.findByRole('button', { name: 'Fechar histórico' }))
    await open()
    await say('Investigar uma falha')
    expect(await screen.findByText('Nada aconteceu ainda')).toBeTruthy()
  })

  it('is asked again before a command that was pressed, after it was declined', async () => {
    prosaServer.use(http.get('/api/admin/users', () => HttpResponse.json({ items: [user], nextCursor: null })))
    renderApp('/admin')
    await userEvent.click(await screen.findByRole('button', { name: 'Ações de Rosa Lima' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Gerenciar' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Exportar dados' }))
    await userEvent.click((await dialog()).getByRole('button', { name: 'Cancelar' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: question })).toBeNull())
    await userEvent.click(await screen.findByRole('button', { name: 'Exportar dados' }))
    await say('Investigar uma falha')
    await waitFor(() => expect(keys.length).toBeGreaterThan(1))
  })

  it('is asked again in another tab of the panel', async () => {
    renderApp('/admin')
    await userEvent.click((await dialog()).getByRole('button', { name: 'Cancelar' }))
    await userEvent.click(await screen.findByRole('tab', { name: 'Projetos' }))
    await dialog()
  })

  it('is kept in the dialog where it could not be stored', async () => {
    prosaServer.use(http.post('/api/admin/reading-purposes', () => HttpResponse.error(), { once: true }))
    renderApp('/admin')
    await say('Investigar uma falha')
    expect(await screen.findByText('rosa@floricultura.com.br', undefined, { timeout: 10_000 })).toBeTruthy()
  })

  it('is asked about one account, by its own name, where a command reads that', async () => {
    renderApp('/admin')
    await say('Investigar uma falha')
    await userEvent.click(await screen.findByRole('button', { name: 'Ações de Rosa Lima' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Gerenciar' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Exportar dados' }))
    expect((await dialog()).getByText(/dados pessoais de uma conta/)).toBeTruthy()
    await say('Cumprir um pedido da pessoa ou da lei')
    await waitFor(() => expect(keys).toHaveLength(2))
    expect(stated.map(({ tenantId: whose, purpose }) => [whose, purpose])).toEqual([
      [null, 'incident'],
      [tenantId, 'legal'],
    ])
  })

  it('is stated again for another account by one press that names it, without the details of the first', async () => {
    renderApp('/admin')
    await say('Investigar uma falha', 'Pedido 77, de Rosa')
    await userEvent.click(await screen.findByRole('button', { name: 'Ações de Rosa Lima' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Gerenciar' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Exportar dados' }))
    const asking = await dialog()
    expect(asking.getByLabelText('Motivo')).toHaveProperty('value', '')
    expect(asking.getByRole('button', { name: 'Ver dados' })).toHaveProperty('disabled', true)
    await userEvent.click(asking.getByRole('button', { name: 'O mesmo motivo: Investigar uma falha' }))
    await waitFor(() => expect(keys).toHaveLength(2))
    expect(stated[1]).toEqual({ tenantId, purpose: 'incident' })
  })

  it('is not offered again where it was another one: that is words of its own', async () => {
    renderApp('/admin')
    await say('Outro motivo', 'Auditoria')
    await userEvent.click(await screen.findByRole('button', { name: 'Ações de Rosa Lima' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Gerenciar' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Exportar dados' }))
    expect((await dialog()).queryByRole('button', { name: /^O mesmo motivo/ })).toBeNull()
  })

  it('is asked before the browser fetches a file by itself', async () => {
    const assign = vi.fn()
    const { location } = window
    Object.defineProperty(window, 'location', { configurable: true, value: { ...location, assign } })
    onTestFinished(() => void Object.defineProperty(window, 'location', { configurable: true, value: location }))
    prosaServer.use(http.get('/api/admin/users', () => HttpResponse.json({ items: [user], nextCursor: null })))
    renderApp('/admin')
    await userEvent.click(await screen.findByRole('link', { name: 'Baixar CSV' }))
    await dialog()
    expect(assign).not.toHaveBeenCalled()
    await say('Conferir um pagamento ou acesso')
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/api/admin/users.csv'))
    await userEvent.click(screen.getByRole('link', { name: 'Baixar CSV' }))
    await waitFor(() => expect(assign).toHaveBeenCalledTimes(2))
    expect(stated).toHaveLength(1)
  })
})

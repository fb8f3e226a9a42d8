import type { ListedUser } from '@prosa/contracts/http/administration/admin-lists'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'
import { extendedEnd } from './extension.ts'

withProsaServer()

const day = 24 * 3600 * 1000
const rosa: ListedUser = {
  id: '7f1c8a52-6c3e-4a4e-8b5d-2f0d9b6a1c33',
  firstName: 'Rosa',
  lastName: 'Lima',
  email: 'rosa@floricultura.com.br',
  isEmailConfirmed: true,
  profileImageUrl: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  roles: [],
  subscriptionStatus: 'active',
  subscriptionEnd: new Date(Date.now() + 3 * day - 1000).toISOString(),
  isTrial: true,
}
const beto: ListedUser = { ...rosa, id: anUser.id, firstName: 'Beto', email: 'beto@example.com', roles: ['admin'] }
const summary = {
  users: { total: 1234, active: 1000, expired: 200, expiringSoon: 34 },
  contacts: 5678,
  messages: 98765,
  projects: 0,
  revenue: { grossCents: 123456, netCents: 100000 },
}

let asked: string[] = []
let sent: unknown[] = []
const toasts = () => within(screen.getByRole('region', { name: /Avisos/ }))

// Compiled first: on a busy machine that takes longer than a test waits for a screen.
beforeAll(async () => {
  await Promise.all([import('../../../app/app-shell.tsx'), import('../admin-page.tsx'), import('./users-tab.tsx')])
}, 60_000)
beforeEach(() => {
  asked = []
  sent = []
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json({ ...anUser, roles: ['admin'] })),
    http.get('/api/admin/summary', () => HttpResponse.json(summary)),
    http.get('/api/admin/users', ({ request }) => {
      const { search, searchParams } = new URL(request.url)
      asked.push(search)
      if (searchParams.get('cursor') === 'b') return HttpResponse.json({ items: [beto], nextCursor: null })
      return HttpResponse.json({ items: [rosa], nextCursor: 'b' })
    }),
  )
})

const accepts = (method: 'post' | 'delete', path: string) =>
  prosaServer.use(
    http[method](`/api/admin/users/${rosa.id}${path}`, async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ id: rosa.id })
    }),
  )

const openDialog = async (action: string, of = 'Rosa Lima') => {
  renderApp('/admin')
  await userEvent.click(await screen.findByRole('button', { name: `Ações de ${of}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
  return within(await screen.findByRole('dialog'))
}
const press = async (name: string, where: Pick<typeof screen, 'getByRole'> = screen) =>
  userEvent.click(where.getByRole('button', { name }))
const confirm = async (title: string, button: string) =>
  press(button, within(await screen.findByRole('dialog', { name: title })))

describe('an extension', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z')
  it.each([
    ['2026-12-01T00:00:00.000Z', '2026-12-31T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', '2026-12-21T12:00:00.000Z'],
    [null, '2026-12-21T12:00:00.000Z'],
  ])('of 30 days from %s leads to %s', (end, extended) => expect(extendedEnd(end, 30, now)).toBe(extended))
})

describe('the panel', () => {
  it('refuses whoever is no administrator, with a way back', async () => {
    prosaServer.use(http.get('/api/auth/user', () => HttpResponse.json(anUser)))
    renderApp('/admin')
    expect(await screen.findByText('Acesso Negado')).toBeTruthy()
    expect(screen.getByText('Você não tem permissão para acessar esta página.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Voltar' }).getAttribute('href')).toBe('/')
    expect(asked).toEqual([])
  })

  it('shows the five numbers, and users page by page', async () => {
    renderApp('/admin')
    expect(await screen.findByText('1.234')).toBeTruthy()
    expect(screen.getByText('34 expiram em até 7 dias')).toBeTruthy()
    expect(screen.getByText(/1\.234,56/)).toBeTruthy()
    expect(screen.getByText(/1\.000,00 sem os reembolsos/)).toBeTruthy()
    expect(await screen.findByText('rosa@floricultura.com.br')).toBeTruthy()
    expect(screen.getByText('período gratuito · expira em 3 dias')).toBeTruthy()
    await press('Carregar mais')
    expect(await screen.findByText('beto@example.com')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Carregar mais' })).toBeNull()
  })

  it('searches for what is typed, which is in no address, and downloads what is found', async () => {
    const found: unknown[] = []
    prosaServer.use(
      http.post('/api/admin/users/search', async ({ request }) => {
        found.push([new URL(request.url).search, await request.json()])
        return HttpResponse.json({ items: [], nextCursor: null })
      }),
      http.post('/api/admin/users.csv', async ({ request }) => {
        found.push([new URL(request.url).search, await request.json()])
        return new HttpResponse('Id', {
          headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="usuarios.csv"' },
        })
      }),
    )
    URL.createObjectURL = () => 'blob:x'
    renderApp('/admin?situacao=active')
    await userEvent.type(await screen.findByLabelText('Buscar por nome ou e-mail'), 'ninguém')
    expect(await screen.findByText('Nenhum usuário encontrado')).toBeTruthy()
    const filters = { search: 'ninguém', status: 'active' }
    expect(found).toEqual([['', filters]])
    await press('Baixar CSV')
    await waitFor(() => expect(found).toEqual(Array(2).fill(['', filters])))
  })
})

describe('the list of users', () => {
  it('is sorted by the columns, and narrowed by status and days, all in the address', async () => {
    renderApp('/admin')
    await screen.findByText('rosa@floricultura.com.br')
    await press('Acesso até')
    await waitFor(() => expect(asked.at(-1)).toBe('?sort=end&order=asc'))
    expect(screen.getByRole('columnheader', { name: /Acesso até/ }).getAttribute('aria-sort')).toBe('ascending')
    await press('Acesso até')
    await waitFor(() => expect(asked.at(-1)).toBe('?sort=end&order=desc'))
    await userEvent.selectOptions(screen.getByLabelText('Situação'), 'Expirados')
    await waitFor(() => expect(asked.at(-1)).toBe('?status=expired&sort=end&order=desc'))
    expect(screen.getByRole('link', { name: 'Baixar CSV' }).getAttribute('href')).toContain('status=expired')
    await userEvent.type(screen.getByLabelText('De'), '2026-11-22')
    await userEvent.type(screen.getByLabelText('Até'), '2026-11-21')
    expect(await screen.findByText('O último dia vem antes do primeiro. Troque as datas.')).toBeTruthy()
  })

  it('is opened by the card that counts it, and its row by its name', async () => {
    renderApp('/admin?aba=planos')
    await userEvent.click(await screen.findByRole('link', { name: '34 expiram em até 7 dias' }))
    await waitFor(() => expect(asked.at(-1)).toBe('?status=ending'))
    await userEvent.click(await screen.findByRole('button', { name: /^Rosa Lima/ }))
    expect(await screen.findByRole('dialog', { name: 'Gerenciar Rosa Lima' })).toBeTruthy()
  })
})

describe('a user', () => {
  it('gets access until any day to come, with old and new end and the reason to confirm', async () => {
    accepts('post', '/extend')
    const dialog = await openDialog('Gerenciar')
    const field = dialog.getByLabelText('Ou até um dia')
    await userEvent.type(field, '2020-01-01')
    expect(dialog.getByText('Escolha um dia que ainda não passou.')).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Estender acesso' })).toHaveProperty('disabled', true)
    await userEvent.clear(field)
    await userEvent.type(field, '2031-05-06')
    await userEvent.type(dialog.getByLabelText('Motivo (opcional)'), 'Acordo')
    await press('Estender acesso', dialog)
    const before = new Intl.DateTimeFormat('pt-BR').format(Date.parse(rosa.subscriptionEnd ?? ''))
    const sentence = `Rosa Lima: acesso até ${before} → até 06/05/2031. Motivo: Acordo`
    expect(await screen.findByText(sentence)).toBeTruthy()
    await confirm('Estender acesso?', 'Estender acesso')
    await waitFor(() =>
      expect(sent).toMatchObject([
        { subscriptionEnd: new Date('2031-05-06T23:59:59.999').toISOString(), reason: 'Acordo' },
      ]),
    )
  })

  it('gets 30 days more, after a second press, for a reason', async () => {
    accepts('post', '/extend')
    const dialog = await openDialog('Gerenciar')
    expect(dialog.getByRole('button', { name: '30 dias' }).getAttribute('aria-pressed')).toBe('true')
    await userEvent.type(dialog.getByLabelText('Motivo (opcional)'), 'Pagou por fora')
    await press('Estender acesso', dialog)
    expect(sent).toEqual([])
    await confirm('Estender acesso?', 'Estender acesso')
    expect(await toasts().findByText('Acesso do usuário estendido com sucesso!')).toBeTruthy()
    const subscriptionEnd = new Date(Date.parse(rosa.subscriptionEnd ?? '') + 30 * day).toISOString()
    expect(sent).toEqual([{ subscriptionEnd, subscriptionStatus: 'active', reason: 'Pagou por fora' }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(asked.length).toBe(2))
  })

  it('is erased only once “apagar” was typed and a reason was given, which what was written before may be', async () => {
    accepts('delete', '')
    const dialog = await openDialog('Gerenciar')
    await press('Excluir usuário', dialog)
    const erasing = within(await screen.findByRole('dialog', { name: 'Excluir usuário?' }))
    const canErase = () => !erasing.getByRole<HTMLButtonElement>('button', { name: 'Excluir para sempre' }).disabled
    expect(canErase()).toBe(false)
    await userEvent.type(erasing.getByLabelText('Motivo'), 'Pediu por telefone')
    expect(canErase()).toBe(false)
    const word = erasing.getByLabelText('Para confirmar, digite “apagar”')
    await userEvent.type(word, 'apaga')
    expect(canErase()).toBe(false)
    await userEvent.type(word, 'R ')
    await userEvent.clear(erasing.getByLabelText('Motivo'))
    await userEvent.type(erasing.getByLabelText('Motivo'), '   ')
    expect(canErase()).toBe(false)
    await userEvent.type(erasing.getByLabelText('Motivo'), 'Pediu por telefone')
    await press('Excluir para sempre', erasing)
    expect(await toasts().findByText('Usuário excluído com sucesso!')).toBeTruthy()
    expect(sent).toEqual([{ reason: 'Pediu por telefone' }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('loses access, or the account, only after a second press', async () => {
    accepts('post', '/remove-access')
    const dialog = await openDialog('Gerenciar')
    await press('Remover acesso', dialog)
    await confirm('Remover acesso?', 'Remover acesso')
    expect(await toasts().findByText('Acesso do usuário removido com sucesso!')).toBeTruthy()
    expect(sent).toMatchObject([{ subscriptionStatus: 'expired' }])
  })

  it('gets another status, and a refusal is shown with the dialog still open', async () => {
    prosaServer.use(http.post(`/api/admin/users/${rosa.id}/status`, () => refuse('access_has_ended')))
    const dialog = await openDialog('Gerenciar')
    await press('Cancelado', dialog)
    await press('Mudar status', dialog)
    await confirm('Mudar o status?', 'Mudar status')
    expect(await toasts().findByText(/O período de acesso já terminou/)).toBeTruthy()
    expect(await screen.findByRole('dialog', { name: 'Gerenciar Rosa Lima' })).toBeTruthy()
  })

  it('is corrected in what is filled in, and nothing else', async () => {
    accepts('post', '/update-profile')
    const dialog = await openDialog('Editar perfil')
    await userEvent.clear(dialog.getByLabelText('Nome'))
    await userEvent.clear(dialog.getByLabelText('Sobrenome'))
    await userEvent.type(dialog.getByLabelText('Sobrenome'), 'Souza')
    await press('Salvar alterações', dialog)
    expect(await toasts().findByText('Perfil do usuário atualizado com sucesso!')).toBeTruthy()
    expect(sent).toEqual([{ lastName: 'Souza', email: rosa.email }])
  })
})

describe('a copy of a user’s data', () => {
  it('is asked for with the reason that was written, which is in no address, and a refusal is shown', async () => {
    const addresses: string[] = []
    prosaServer.use(
      http.post(`/api/admin/users/${rosa.id}/exports`, async ({ request }) => {
        addresses.push(request.url)
        sent.push(await request.json())
        return HttpResponse.json({ id: beto.id }, { status: 201 })
      }),
      http.get(`/api/admin/users/${rosa.id}/exports/${beto.id}`, ({ request }) => {
        addresses.push(request.url)
        return refuse('export_over')
      }),
    )
    const dialog = await openDialog('Gerenciar')
    await userEvent.type(dialog.getByLabelText('Motivo (opcional)'), 'Pedido por carta')
    await press('Exportar dados', dialog)
    expect((await dialog.findByRole('alert')).textContent).toBe('O prazo para baixar esta cópia passou. Peça outra.')
    expect(sent).toEqual([{ reason: 'Pedido por carta' }])
    expect(addresses).toHaveLength(2)
    expect(addresses.join()).not.toMatch(/carta|Rosa/i)
  })
})

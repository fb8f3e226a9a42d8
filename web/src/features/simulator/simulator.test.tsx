import type { SimulatedChat, SimulatedMessage, SimulatedPhone, SimulatorFaults } from '@prosa/contracts/http/simulator'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import { aConnection, prosaServer, refuse, withProsaServer } from '../../../test/prosa-server.ts'
import { createQueryClient } from '../../app/query-client.ts'
import { ToastProvider } from '../../components/notices/toast-provider.tsx'
import { SimulatorPage } from './simulator-page.tsx'

withProsaServer()

const [shopNumber, anaNumber] = ['5511987650000', '5511987650001']

const aMessage = (of: Partial<SimulatedMessage>): SimulatedMessage => ({
  id: 'M1',
  fromMe: false,
  author: { number: shopNumber, name: 'Padaria Sol' },
  kind: 'text',
  text: 'Abrimos às 7h',
  at: '2026-11-21T10:00:00.000Z',
  status: 'lida',
  file: null,
  quoted: null,
  reactions: [],
  editedAt: null,
  deleted: false,
  ...of,
})

const aChat = (of: Partial<SimulatedChat>): SimulatedChat => ({
  with: { number: shopNumber, name: 'Padaria Sol' },
  isGroup: false,
  members: [],
  blocked: false,
  activity: null,
  unread: 0,
  lastMessage: aMessage({}),
  ...of,
})

const aPhone = (of: Partial<SimulatedPhone>): SimulatedPhone => ({
  id: '1',
  name: 'Ana',
  number: anaNumber,
  online: true,
  hidesNumber: false,
  linkedDevices: [],
  chats: [aChat({})],
  ...of,
})

const shop = aPhone({
  id: '2',
  name: 'Padaria Sol',
  number: shopNumber,
  linkedDevices: [{ id: '1', online: true }],
  chats: [],
})

const asked: { method: string; path: string; body: unknown }[] = []

const noFaults: SimulatorFaults = { loseMessages: 0, loseReceipts: 0, refuseMessages: [], refuseLogins: [], delayMs: 0 }

const openPage = (messages: SimulatedMessage[], ana = aPhone({}), others: SimulatedPhone[] = []) => {
  prosaServer.use(
    http.get('/api/simulador/phones', () => HttpResponse.json([ana, shop, ...others])),
    http.get('/api/simulador/faults', () => HttpResponse.json(noFaults)),
    http.get('/api/simulador/demo', () => HttpResponse.json({ state: 'idle', sentence: '', done: 0, total: 0 })),
    http.get('/api/simulador/phones/:id/chats/:chat/messages', () => HttpResponse.json(messages)),
    http.all('/api/simulador/*', async ({ request }) => {
      const text = await request.text()
      asked.push({
        method: request.method,
        path: new URL(request.url).pathname.replace('/api/simulador', ''),
        body: text ? JSON.parse(text) : undefined,
      })
      return HttpResponse.json({})
    }),
  )
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ToastProvider>
        <SimulatorPage />
      </ToastProvider>
    </QueryClientProvider>,
  )
}

const phoneOf = (name: string) => screen.findByRole('region', { name })
const orders = () => asked.filter(({ path }) => !path.endsWith('/activity') && !path.endsWith('/read'))

const listeners: (() => void)[] = []

beforeEach(() => {
  asked.length = 0
  listeners.length = 0
  vi.stubGlobal(
    'EventSource',
    class {
      addEventListener = (_: string, listener: () => void) => listeners.push(listener)
      close = vi.fn()
    },
  )
})

const openChat = async (user: ReturnType<typeof userEvent.setup>) => {
  const phone = within(await phoneOf('Ana'))
  await user.click(phone.getByRole('button', { name: /Padaria Sol/ }))
  return phone
}

it('answers a message with a quote, and Enter sends', async () => {
  const user = userEvent.setup()
  openPage([aMessage({})])
  const phone = await openChat(user)
  await user.click(await phone.findByRole('button', { name: 'Opções da mensagem: Abrimos às 7h' }))
  await user.click(screen.getByRole('menuitem', { name: 'Responder' }))
  expect(phone.getByText('Respondendo: Abrimos às 7h')).toBeTruthy()
  await user.type(phone.getByLabelText('Mensagem para Padaria Sol'), 'Obrigada{Enter}')
  await waitFor(() =>
    expect(orders()).toEqual([
      { method: 'POST', path: `/phones/1/chats/${shopNumber}/messages`, body: { text: 'Obrigada', quotedId: 'M1' } },
    ]),
  )
  expect(phone.queryByText(/Respondendo/)).toBeNull()
})

it('edits, takes back and reacts from the keyboard; Escape gives an edit up', async () => {
  const user = userEvent.setup()
  openPage([aMessage({ id: 'M2', fromMe: true, text: 'Vou às 8', author: { number: anaNumber, name: 'Ana' } })])
  const phone = await openChat(user)
  const open = async (item: string) => {
    const options = await phone.findByRole('button', { name: 'Opções da mensagem: Vou às 8' })
    options.focus()
    await user.keyboard('{Enter}')
    screen.getByRole('menuitem', { name: item }).focus()
    await user.keyboard('{Enter}')
  }
  await open('Editar')
  await user.type(phone.getByLabelText('Mensagem para Padaria Sol'), ' e meia{Escape}')
  expect(phone.queryByText(/Editando/)).toBeNull()
  await open('Editar')
  await user.type(phone.getByLabelText('Mensagem para Padaria Sol'), ' em ponto{Enter}')
  await open('Reagir com 👍')
  await open('Apagar para todos')
  const message = `/phones/1/chats/${shopNumber}/messages/M2`
  await waitFor(() => expect(orders()).toHaveLength(3))
  expect(orders()).toEqual([
    { method: 'PATCH', path: message, body: { text: 'Vou às 8 em ponto' } },
    { method: 'PUT', path: `${message}/reaction`, body: { emoji: '👍' } },
    { method: 'DELETE', path: message, body: undefined },
  ])
})

it('keeps what was begun while a message is answered, or another one changed', async () => {
  const user = userEvent.setup()
  openPage([aMessage({}), aMessage({ id: 'M2', fromMe: true, text: 'Vou às 8' })])
  const phone = await openChat(user)
  const field = () => phone.getByLabelText('Mensagem para Padaria Sol')
  await user.type(field(), 'Vocês têm')
  const choose = async (message: string, item: string) => {
    await user.click(await phone.findByRole('button', { name: `Opções da mensagem: ${message}` }))
    await user.click(screen.getByRole('menuitem', { name: item }))
    await waitFor(() => expect(document.activeElement).toBe(field()))
  }
  await choose('Abrimos às 7h', 'Responder')
  await user.keyboard(' bolo?')
  expect(field()).toHaveProperty('value', 'Vocês têm bolo?')
  await choose('Vou às 8', 'Editar')
  expect(field()).toHaveProperty('value', 'Vou às 8')
  await user.keyboard('{Escape}')
  expect(field()).toHaveProperty('value', 'Vocês têm bolo?')
})

it('gives a text back that was not accepted', async () => {
  const user = userEvent.setup()
  openPage([aMessage({})])
  prosaServer.use(http.post('/api/simulador/phones/:id/chats/:chat/messages', () => refuse('unexpected')))
  const phone = await openChat(user)
  await user.click(await phone.findByRole('button', { name: 'Opções da mensagem: Abrimos às 7h' }))
  await user.click(screen.getByRole('menuitem', { name: 'Responder' }))
  await user.keyboard('Obrigada{Enter}')
  expect(await screen.findByText('Não deu certo')).toBeTruthy()
  await waitFor(() => expect(phone.getByLabelText('Mensagem para Padaria Sol')).toHaveProperty('value', 'Obrigada'))
  expect(phone.getByText('Respondendo: Abrimos às 7h')).toBeTruthy()
})

it('gives a change back that was not accepted', async () => {
  const user = userEvent.setup()
  openPage([aMessage({ id: 'M2', fromMe: true, text: 'Vou às 8' })])
  prosaServer.use(http.patch('/api/simulador/phones/:id/chats/:chat/messages/M2', () => refuse('unexpected')))
  const phone = await openChat(user)
  await user.click(await phone.findByRole('button', { name: 'Opções da mensagem: Vou às 8' }))
  await user.click(screen.getByRole('menuitem', { name: 'Editar' }))
  await user.keyboard(' e meia{Enter}')
  expect(await screen.findByText('Não deu certo')).toBeTruthy()
  expect(await phone.findByText('Editando: Vou às 8')).toBeTruthy()
  expect(phone.getByLabelText('Mensagem para Padaria Sol')).toHaveProperty('value', 'Vou às 8 e meia')
})

it('shows that a chat is on its way, could not be read, or has no messages', async () => {
  const user = userEvent.setup()
  let answer: ((reply: Response) => void) | undefined
  openPage([])
  prosaServer.use(
    http.get(
      '/api/simulador/phones/:id/chats/:chat/messages',
      () => new Promise<Response>((resolve) => (answer = resolve)),
      { once: true },
    ),
  )
  const phone = await openChat(user)
  expect(phone.getByText('Carregando...')).toBeTruthy()
  await waitFor(() => expect(answer).toBeDefined())
  answer?.(refuse('unexpected'))
  await user.click(await phone.findByRole('button', { name: 'Tentar de novo' }))
  expect(await phone.findByText('Nenhuma mensagem ainda')).toBeTruthy()
})

it('opens a chat at its latest message, and moves nothing but the chat', async () => {
  const user = userEvent.setup()
  const heights = vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(700)
  const page = vi.fn()
  Element.prototype.scrollIntoView = page
  openPage([aMessage({})])
  const phone = await openChat(user)
  await phone.findByText('Abrimos às 7h')
  expect(phone.getByRole('region', { name: 'Conversa com Padaria Sol' }).scrollTop).toBe(700)
  expect(page).not.toHaveBeenCalled()
  heights.mockRestore()
  Reflect.deleteProperty(Element.prototype, 'scrollIntoView')
})

it('keeps the focus where the hand is when the view changes', async () => {
  const user = userEvent.setup()
  openPage([aMessage({})])
  const phone = await openChat(user)
  const back = () => phone.getByRole('button', { name: 'Voltar às conversas' })
  expect(document.activeElement).toBe(back())
  await user.click(back())
  expect(document.activeElement).toBe(phone.getByRole('button', { name: /Padaria Sol/ }))
  await user.click(phone.getByRole('button', { name: 'Escanear QR com Ana' }))
  expect(document.activeElement).toBe(back())
  await user.click(back())
  expect(document.activeElement).toBe(phone.getByRole('button', { name: 'Escanear QR com Ana' }))
})

it('shows how many messages are unread, and nothing of none', async () => {
  openPage([], aPhone({ chats: [aChat({ unread: 1 }), aChat({ with: { number: '5511987650009', name: 'Bia' } })] }))
  const phone = within(await phoneOf('Ana'))
  expect(phone.getByRole('button', { name: /Padaria Sol.*1 não lida$/ })).toBeTruthy()
  expect(phone.getByRole('button', { name: /^Bia/ }).textContent).not.toContain('lida')
})

it('shows files, quotes, reactions, refusals and what was taken back', async () => {
  const user = userEvent.setup()
  const file = { mediaType: 'image/png', bytes: 9, fileName: null, seconds: null, waveform: null, width: 9, height: 9 }
  openPage([
    aMessage({
      id: 'P',
      kind: 'image',
      text: 'o bolo',
      file,
      reactions: [{ emoji: '❤️', fromMe: true, number: anaNumber }],
    }),
    aMessage({ id: 'Q', text: 'Lindo', quoted: { id: 'P', text: 'o bolo', author: shopNumber } }),
    aMessage({ id: 'D', text: '', deleted: true }),
    aMessage({ id: 'R', fromMe: true, text: 'oi?', status: 'recusada' }),
  ])
  const phone = await openChat(user)
  const picture = await phone.findByRole('img', { name: 'o bolo' })
  expect(picture.getAttribute('src')).toBe(`/api/simulador/phones/1/chats/${shopNumber}/messages/P/file`)
  expect(phone.getByLabelText('Reações: ❤️')).toBeTruthy()
  expect(phone.getByRole('blockquote').textContent).toBe('Padaria Solo bolo')
  expect(phone.getByText('Mensagem apagada')).toBeTruthy()
  expect(phone.getByText('O WhatsApp não aceitou esta mensagem.')).toBeTruthy()
})

it('shows who is typing in the list and in the chat', async () => {
  const user = userEvent.setup()
  openPage([aMessage({})], aPhone({ chats: [aChat({ activity: 'recording' })] }))
  const phone = within(await phoneOf('Ana'))
  expect(phone.getByRole('button', { name: /gravando áudio\.\.\./ })).toBeTruthy()
  await user.click(phone.getByRole('button', { name: /Padaria Sol/ }))
  expect(phone.getByText('gravando áudio...')).toBeTruthy()
})

it('types the pairing code that a connection shows', async () => {
  const user = userEvent.setup()
  prosaServer.use(
    http.get('/api/whatsapp/connections', () =>
      HttpResponse.json([aConnection({ name: 'Loja', status: 'qr_ready', pairingCode: 'ABCD-1234' })]),
    ),
  )
  openPage([])
  await user.click(await screen.findByRole('button', { name: 'Escanear QR com Ana' }))
  await user.click(await screen.findByRole('button', { name: 'Digitar o código ABCD-1234 de Loja' }))
  await waitFor(() =>
    expect(orders()).toEqual([{ method: 'POST', path: '/phones/1/pairing-code', body: { code: 'ABCD-1234' } }]),
  )
})

it('shows that the codes could not be read, and tries again', async () => {
  const user = userEvent.setup()
  prosaServer.use(http.get('/api/whatsapp/connections', () => refuse('unexpected'), { once: true }))
  openPage([])
  await user.click(await screen.findByRole('button', { name: 'Escanear QR com Ana' }))
  const again = await screen.findByRole('button', { name: 'Tentar de novo' })
  expect(screen.queryByText(/Nenhuma conexão mostra um código/)).toBeNull()
  await user.click(again)
  expect(await screen.findByText(/Nenhuma conexão mostra um código/)).toBeTruthy()
})

it('makes a group of the phones that are chosen, two at least', async () => {
  const user = userEvent.setup()
  openPage([])
  await user.click(await screen.findByRole('button', { name: 'Novo grupo' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Novo grupo' }))
  await user.type(dialog.getByLabelText('Nome do grupo'), 'Clientes')
  await user.click(dialog.getByLabelText('Ana'))
  expect(dialog.getByRole('button', { name: 'Criar grupo' })).toHaveProperty('disabled', true)
  await user.click(dialog.getByLabelText('Padaria Sol'))
  await user.click(dialog.getByRole('button', { name: 'Criar grupo' }))
  await waitFor(() =>
    expect(orders()).toEqual([
      { method: 'POST', path: '/groups', body: { subject: 'Clientes', memberIds: ['1', '2'] } },
    ]),
  )
})

it('orders faults of the network and of a linked line', async () => {
  const user = userEvent.setup()
  openPage([])
  await user.click(await screen.findByText('Provocar falhas'))
  await user.click(screen.getByRole('button', { name: 'Recusar a próxima mensagem (463, conta restrita)' }))
  await waitFor(() => expect(orders()).toHaveLength(1))
  await user.click(screen.getByRole('button', { name: 'Derrubar a linha' }))
  await waitFor(() => expect(orders()).toHaveLength(2))
  expect(orders().map(({ body }) => body)).toEqual([
    { name: 'refuse-messages', code: '463' },
    { name: 'drop-line', phoneId: '2' },
  ])
})

it('shows the shop and the latest of many phones; the others are one press away', async () => {
  const user = userEvent.setup()
  const names = ['Bia', 'Caio', 'Davi', 'Eva']
  openPage(
    [],
    undefined,
    names.map((name, index) => aPhone({ id: `${index + 3}`, name, number: `551198765010${index}` })),
  )
  await phoneOf('Padaria Sol')
  const shown = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  expect(shown()).toEqual(['Padaria Sol', 'Eva', 'Davi', 'Caio'])
  const choice = within(screen.getByRole('group', { name: 'Telefones à vista' }))
  await user.click(choice.getByRole('button', { name: 'Ana' }))
  await user.click(choice.getByRole('button', { name: 'Davi' }))
  expect(shown()).toEqual(['Padaria Sol', 'Eva', 'Caio', 'Ana'])
})

it('takes no phone off the table because of another one', async () => {
  const user = userEvent.setup()
  const [bia, caio, davi, eva] = ['Bia', 'Caio', 'Davi', 'Eva'].map((name, index) =>
    aPhone({ id: `${index + 3}`, name, number: `551198765010${index}` }),
  )
  if (!bia || !caio || !davi || !eva) throw new Error('There are four names')
  let phones = [aPhone({}), shop, bia]
  openPage([], undefined, [bia])
  prosaServer.use(http.get('/api/simulador/phones', () => HttpResponse.json(phones)))
  const phone = await openChat(user)
  const field = phone.getByLabelText('Mensagem para Padaria Sol')
  await user.type(field, 'Vocês têm')
  const update = async (now: SimulatedPhone[], name: string) => {
    phones = now
    for (const notify of listeners) notify()
    await screen.findByRole('button', { name })
  }
  await update([aPhone({}), shop, bia, caio], 'Escanear QR com Caio')
  await update([aPhone({}), shop, bia, caio, davi], 'Davi')
  expect(screen.queryByRole('button', { name: 'Escanear QR com Davi' })).toBeNull()
  await update([aPhone({}), shop, bia, caio, { ...davi, linkedDevices: [{ id: '9', online: true }] }, eva], 'Eva')
  expect(field.isConnected).toBe(true)
  expect(field).toHaveProperty('value', 'Vocês têm')
  await update([aPhone({}), shop, davi, eva], 'Davi')
  await user.click(screen.getByRole('button', { name: 'Davi' }))
  expect(await phoneOf('Davi')).toBeTruthy()
})

import type { WhatsappSession } from '@prosa/contracts/http/connections'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../test/prosa-server.ts'
import { renderApp } from '../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../app/app-shell.tsx'
import './sessions-page.tsx'

withProsaServer()

const token = '7f1c8a52-6c3e-4a4e-8b5d-2f0d9b6a1c33'
const qrCode = 'data:image/png;base64,iVBORw0KGgo='
const shop = (of: Partial<WhatsappSession> = {}): WhatsappSession => ({
  name: 'Loja do centro',
  token,
  status: 'qr_ready',
  phoneNumber: null,
  lastActivity: null,
  ...of,
})

let stored: WhatsappSession[] = []
let asked: unknown[] = []

beforeEach(() => {
  stored = [shop()]
  asked = []
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/whatsapp/sessions', () => HttpResponse.json(stored)),
    http.get('/api/whatsapp/qr/:token', () => HttpResponse.json({ qrCode })),
    http.post('/api/whatsapp/create-session', async ({ request }) => {
      asked.push(await request.json())
      stored = [shop({ status: 'connecting' })]
      return HttpResponse.json(stored[0], { status: 201 })
    }),
    http.delete('/api/whatsapp/session/:token', ({ params }) => {
      asked.push(params.token)
      stored = []
      return HttpResponse.json({ token: params.token })
    }),
  )
})

const open = () => renderApp('/whatsapp-sessions')
const toasts = () => within(screen.getByLabelText('Avisos (F8)'))
const card = async (name: string) => {
  const item = (await screen.findByText(name, { selector: 'h2' })).closest('li')
  if (!item) throw new Error(`${name} is on no card`)
  return within(item)
}

describe('WhatsApp Sessions', () => {
  it('is reached from the navigation and by G W', async () => {
    renderApp('/')
    expect((await screen.findAllByRole('link', { name: 'WhatsApp Sessions' }))[0]?.getAttribute('href')).toBe(
      '/whatsapp-sessions',
    )
    await userEvent.keyboard('gw')
    expect(await card('Loja do centro')).toBeTruthy()
  })

  it('shows each session with token, badge, phone and last activity', async () => {
    stored = [
      shop({ status: 'active', phoneNumber: '5511988776655', lastActivity: new Date().toISOString() }),
      shop({ name: 'Oficina', token: 'b', status: 'qr_ready' }),
      shop({ name: 'Feira', token: 'c', status: 'connecting' }),
      shop({ name: 'Praia', token: 'd', status: 'inactive' }),
    ]
    open()
    const shown = await card('Loja do centro')
    expect(shown.getByTitle(token).textContent).toBe('7f1c…1c33')
    expect(shown.getByText('(11) 98877-6655')).toBeTruthy()
    expect(shown.getByText(/^hoje, /)).toBeTruthy()
    expect(shown.getByText('Ativa')).toBeTruthy()
    expect(shown.getByText('QR CODE')).toHaveProperty('disabled', true)
    expect((await card('Oficina')).getByText('QR Pronto')).toBeTruthy()
    expect((await card('Feira')).getByText('Conectando')).toBeTruthy()
    expect((await card('Praia')).getByText('Inativa')).toBeTruthy()
  })

  it('copies the whole token', async () => {
    const user = userEvent.setup()
    open()
    await user.click((await card('Loja do centro')).getByLabelText('Copiar o token'))
    expect(await toasts().findByText('Token copiado!')).toBeTruthy()
    expect(await navigator.clipboard.readText()).toBe(token)
  })

  it('adds a session by its trimmed name and goes on to the QR code', async () => {
    stored = []
    open()
    expect(await screen.findByText('Nenhuma sessão ainda')).toBeTruthy()
    await userEvent.click(screen.getByText('Adicionar Sessão'))
    const name = screen.getByLabelText('Nome da instância')
    await userEvent.type(name, '  {Enter}')
    expect(screen.getByText('Nome da sessão é obrigatório')).toBeTruthy()
    await userEvent.type(name, 'Loja do centro {Enter}')
    expect(await toasts().findByText('Sessão criada')).toBeTruthy()
    expect(asked).toEqual([{ name: 'Loja do centro' }])
    const dialog = within(await screen.findByRole('dialog', { name: 'QR Code de Loja do centro' }))
    expect(await dialog.findByAltText(/QR Code/)).toHaveProperty('src', qrCode)
    expect(dialog.getByText(/Aponte a câmera/)).toBeTruthy()
  })

  it('shows that a session could not be created', async () => {
    prosaServer.use(http.post('/api/whatsapp/create-session', () => HttpResponse.json(null, { status: 500 })))
    open()
    await userEvent.click(await screen.findByText('Adicionar Sessão'))
    await userEvent.type(screen.getByLabelText('Nome da instância'), 'Loja{Enter}')
    expect(await toasts().findByText('Erro')).toBeTruthy()
    expect(toasts().getByText('Falha ao criar sessão')).toBeTruthy()
  })

  it('shows the sentence of the server for a session that could not be created', async () => {
    prosaServer.use(http.post('/api/whatsapp/create-session', () => refuse('unexpected')))
    open()
    await userEvent.click(await screen.findByText('Adicionar Sessão'))
    await userEvent.type(screen.getByLabelText('Nome da instância'), 'Loja{Enter}')
    expect(await toasts().findByText(/^Não foi possível concluir\./)).toBeTruthy()
    expect(toasts().getByText('Erro')).toBeTruthy()
  })

  it('shows while there is no QR code that it comes, and shows it once it is there', async () => {
    let ready = false
    prosaServer.use(
      http.get('/api/whatsapp/qr/:token', () => (ready ? HttpResponse.json({ qrCode }) : refuse('qr_code_not_ready'))),
    )
    stored = [shop({ status: 'connecting' })]
    open()
    await userEvent.click((await card('Loja do centro')).getByText('QR CODE'))
    expect(await screen.findByText('QR Code não disponível ainda. Aguarde alguns segundos.')).toBeTruthy()
    ready = true
    expect(await screen.findByAltText(/QR Code/)).toHaveProperty('src', qrCode)
  })

  it('asks for new QR codes for a session whose time is over', async () => {
    prosaServer.use(
      http.get('/api/whatsapp/qr/:token', () => refuse('qr_code_not_ready')),
      http.post('/api/whatsapp/connections/:id/refresh', ({ params }) => {
        asked.push(params.id)
        return HttpResponse.json({ id: params.id })
      }),
    )
    stored = [shop({ status: 'inactive' })]
    open()
    await userEvent.click((await card('Loja do centro')).getByText('QR CODE'))
    expect(await screen.findByText('Não há QR Code válido agora. Gere um novo para conectar.')).toBeTruthy()
    await userEvent.click(screen.getByText('Gerar novo QR Code'))
    await expect.poll(() => asked).toEqual([token])
  })

  it('removes a session only after asking', async () => {
    open()
    await userEvent.click((await card('Loja do centro')).getByLabelText('Remover a sessão Loja do centro'))
    expect(asked).toEqual([])
    await userEvent.click(screen.getByText('Remover'))
    expect(await toasts().findByText('Sessão removida')).toBeTruthy()
    expect(await screen.findByText('Nenhuma sessão ainda')).toBeTruthy()
    expect(asked).toEqual([token])
  })
})

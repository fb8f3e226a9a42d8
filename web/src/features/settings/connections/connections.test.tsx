import type { Connection } from '@prosa/contracts/http/connections'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { aConnection, anUser, prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../../app/app-shell.tsx'
import '../settings-page.tsx'

withProsaServer()

const qrCode = 'data:image/png;base64,iVBORw0KGgo='

let stored: Connection[] = []
let created: unknown[] = []

beforeEach(() => {
  stored = []
  created = []
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/whatsapp/connections', () => HttpResponse.json(stored)),
    http.post('/api/whatsapp/connections', async ({ request }) => {
      created.push(await request.json())
      stored = [aConnection()]
      return HttpResponse.json(stored[0], { status: 201 })
    }),
  )
})

let readAgain: () => Promise<void>

const openSettings = async () => {
  const { queries } = renderApp('/settings')
  readAgain = () => queries.invalidateQueries({ queryKey: ['whatsapp', 'connections'] })
  await screen.findByRole('heading', { name: 'Conexões' })
}

const openForm = async () => {
  await openSettings()
  await userEvent.click(await screen.findByRole('button', { name: 'Adicionar Conexão' }))
  return screen.getByRole('dialog', { name: 'Adicionar Conexão' })
}

describe('adding a connection', () => {
  it('shows why the plan allows no more, and the way to another one', async () => {
    prosaServer.use(http.post('/api/whatsapp/connections', () => refuse('connection_limit_reached')))
    const dialog = await openForm()
    await userEvent.type(within(dialog).getByLabelText('Nome da conexão'), 'Loja')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Adicionar' }))
    const reason = within(await within(await screen.findByRole('dialog')).findByRole('alert'))
    expect(reason.getByText(/todas as conexões que seu plano permite/)).toBeTruthy()
    expect(reason.getByRole('link', { name: 'Escolher um plano' }).getAttribute('href')).toBe('/billing')
  })

  it('goes from the name over the QR code to the success, and closes itself', async () => {
    const dialog = await openForm()
    const add = within(dialog).getByRole('button', { name: 'Adicionar' })
    expect(add).toHaveProperty('disabled', true)
    await userEvent.type(within(dialog).getByLabelText('Nome da conexão'), '  Loja do centro ')
    await userEvent.click(add)
    expect(
      await within(await screen.findByRole('dialog', { name: 'Conectar WhatsApp' })).findByText(
        'Estabelecendo conexão...',
      ),
    ).toBeTruthy()
    expect(await screen.findByText('Conexão iniciada')).toBeTruthy()
    expect(created).toEqual([{ name: 'Loja do centro' }])

    stored = [aConnection({ status: 'qr_ready', qrCode, qrDeadline: '2026-11-21T14:33:40.000Z' })]
    expect(await screen.findByAltText(/QR Code/)).toHaveProperty('src', qrCode)
    expect(within(screen.getByRole('dialog')).getByText('QR Code pronto - Escaneie agora')).toBeTruthy()

    stored = [aConnection({ status: 'connected', phoneNumber: '5511988776655' })]
    expect(await screen.findByText('Conexão Estabelecida!')).toBeTruthy()
    expect(within(screen.getByRole('dialog')).getByText('(11) 98877-6655')).toBeTruthy()
    expect(within(screen.getByRole('dialog')).getByRole('link', { name: 'Ir para as conversas' })).toHaveProperty(
      'pathname',
      '/live-chat',
    )
    await expect.poll(() => screen.queryByRole('dialog'), { timeout: 8000 }).toBeNull()
  })

  it('counts down by the server clock, however wrong the clock of the browser', async () => {
    stored = [
      aConnection({
        status: 'qr_ready',
        qrCode,
        serverTime: '2001-01-01T00:00:00.000Z',
        qrDeadline: '2001-01-01T00:01:30.000Z',
      }),
    ]
    await openSettings()
    await userEvent.click(await screen.findByRole('button', { name: 'Ver QR Code' }))
    expect(screen.getByRole('timer').textContent).toMatch(/^Tempo restante 01:(30|2\d)$/)
  })

  it('shows how it stands once a phone has read the code, and asks for nothing more', async () => {
    stored = [aConnection({ status: 'qr_ready', qrCode, qrDeadline: '2026-11-21T14:33:40.000Z' })]
    await openSettings()
    await userEvent.click(await screen.findByRole('button', { name: 'Ver QR Code' }))
    stored = [aConnection({ status: 'authenticated', phoneNumber: '5511988776655' })]
    const dialog = within(screen.getByRole('dialog', { name: 'Conectar WhatsApp' }))
    expect(await dialog.findByText('Autenticado', undefined, { timeout: 8000 })).toBeTruthy()
    expect(dialog.queryByRole('timer')).toBeNull()
    expect(dialog.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Fechar'])
  })

  it('shows that the connection was deleted elsewhere while its QR code was awaited', async () => {
    stored = [aConnection({ status: 'qr_ready', qrCode, qrDeadline: '2026-11-21T14:33:40.000Z' })]
    await openSettings()
    await userEvent.click(await screen.findByRole('button', { name: 'Ver QR Code' }))
    stored = []
    await readAgain()
    const dialog = within(screen.getByRole('dialog', { name: 'Conectar WhatsApp' }))
    expect(await dialog.findByText('Esta conexão foi excluída.')).toBeTruthy()
    expect(dialog.queryByRole('timer')).toBeNull()
    await userEvent.click(dialog.getByRole('button', { name: 'Fechar' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  })

  it('never calls a connection deleted because the list was read just before it was added', async () => {
    let answer: ((list: Response) => void) | undefined
    const dialog = await openForm()
    prosaServer.use(
      http.get('/api/whatsapp/connections', () => new Promise<Response>((resolve) => (answer = resolve)), {
        once: true,
      }),
    )
    const before = readAgain()
    await expect.poll(() => answer).toBeDefined()
    await userEvent.type(within(dialog).getByLabelText('Nome da conexão'), 'Loja{Enter}')
    await screen.findByText('Conexão iniciada')
    answer?.(HttpResponse.json([]))
    await before
    await userEvent.click(await screen.findByText('Conectar com código'))
    const phone = screen.getByLabelText('Telefone do WhatsApp')
    await userEvent.type(phone, '1198')
    expect(phone.isConnected).toBe(true)
  })

  it('shows that the code expired and leads to a new one', async () => {
    let refreshed = 0
    prosaServer.use(
      http.post('/api/whatsapp/connections/:id/refresh', () => {
        refreshed += 1
        return HttpResponse.json({ id: aConnection().id })
      }),
    )
    stored = [aConnection({ status: 'qr_ready', qrCode, qrDeadline: '2026-11-21T14:32:00.000Z' })]
    await openSettings()
    await userEvent.click(await screen.findByRole('button', { name: 'Ver QR Code' }))
    expect(screen.getByText('O QR Code expirou antes de ser lido.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Atualizar' }))
    expect(await screen.findByText('Novo QR Code será gerado...')).toBeTruthy()
    expect(refreshed).toBe(1)
  })

  it('shows in the place of the QR code that it waits for its turn', async () => {
    const dialog = await openForm()
    await userEvent.type(within(dialog).getByLabelText('Nome da conexão'), 'Loja{Enter}')
    const statusReason = 'Muitas conexões estão sendo feitas agora. O QR Code aparece assim que chegar a sua vez.'
    const qrDeadline = new Date(Date.now() + 120_000).toISOString()
    stored = [aConnection({ status: 'connecting', statusReason, qrDeadline })]
    const shown = within(await screen.findByRole('dialog', { name: 'Conectar WhatsApp' }))
    expect(await shown.findByText(statusReason, undefined, { timeout: 8000 })).toBeTruthy()
  })

  it('shows why no other connection can be added, and keeps the name', async () => {
    prosaServer.use(http.post('/api/whatsapp/connections', () => refuse('too_many_connections')))
    const dialog = await openForm()
    await userEvent.type(within(dialog).getByLabelText('Nome da conexão'), 'Loja{Enter}')
    expect(await screen.findByText(/Exclua uma que não usa mais e tente de novo/)).toBeTruthy()
    expect(screen.getByLabelText('Nome da conexão')).toHaveProperty('value', 'Loja')
  })

  it('returns to the form, with the name kept, when the server fails', async () => {
    prosaServer.use(http.post('/api/whatsapp/connections', () => refuse('unexpected')))
    const dialog = await openForm()
    await userEvent.type(within(dialog).getByLabelText('Nome da conexão'), 'Loja{Enter}')
    expect(await screen.findByText('Falha ao criar conexão. Tente novamente.')).toBeTruthy()
    expect(screen.getByLabelText('Nome da conexão')).toHaveProperty('value', 'Loja')
  })

  it('shows at the field what the server refuses of the name', async () => {
    prosaServer.use(
      http.post('/api/whatsapp/connections', () =>
        refuse('invalid_request', [{ field: 'name', message: 'Use no máximo 60 caracteres.' }]),
      ),
    )
    const dialog = await openForm()
    await userEvent.type(within(dialog).getByLabelText('Nome da conexão'), 'Loja{Enter}')
    expect(await screen.findByText('Use no máximo 60 caracteres.')).toBeTruthy()
  })
})

describe('connecting with a code instead', () => {
  const linking = (of: Partial<Connection> = {}) =>
    aConnection({ status: 'qr_ready', qrCode, qrDeadline: '2026-11-21T14:33:40.000Z', ...of })
  let phones: unknown[] = []

  beforeEach(() => {
    phones = []
    stored = [linking()]
    prosaServer.use(
      http.post('/api/whatsapp/connections/:id/pairing-code', async ({ params, request }) => {
        phones.push(await request.json())
        stored = [linking({ pairingCode: 'ABCD-1234' })]
        return HttpResponse.json({ id: params.id }, { status: 202 })
      }),
    )
  })

  const openCode = async () => {
    await openSettings()
    await userEvent.click(await screen.findByText('Ver QR Code'))
    await userEvent.click(screen.getByText('Conectar com código'))
    return screen.getByLabelText('Telefone do WhatsApp')
  }

  it('asks for the masked phone, shows the code and shows where to type it', async () => {
    const phone = await openCode()
    await userEvent.type(phone, '11988776655')
    expect(phone).toHaveProperty('value', '(11) 98877-6655')
    await userEvent.click(screen.getByText('Gerar código'))
    expect((await screen.findByLabelText('Código para digitar no celular')).textContent).toBe('ABCD-1234')
    expect(phones).toEqual([{ phone: '5511988776655' }])
    expect(screen.getByText(/Conectar com número de telefone/)).toBeTruthy()
    expect(screen.getByLabelText('Copiar o código')).toBeTruthy()
  })

  it('shows how it stands once the code was typed on the phone', async () => {
    await userEvent.type(await openCode(), '11988776655{Enter}')
    await screen.findByLabelText('Código para digitar no celular')
    stored = [aConnection({ status: 'connecting', phoneNumber: '5511988776655' })]
    const dialog = within(screen.getByRole('dialog'))
    expect(await dialog.findByText('Estabelecendo conexão...', undefined, { timeout: 8000 })).toBeTruthy()
    expect(dialog.queryByText('Pedindo o código ao WhatsApp...')).toBeNull()
    expect(dialog.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Fechar'])
  })

  it('shows at the field that a number is too short, and asks for nothing', async () => {
    await userEvent.type(await openCode(), '1198{Enter}')
    expect(screen.getByText('Informe o número do telefone com DDD.')).toBeTruthy()
    expect(phones).toEqual([])
  })

  it('gives another code for another number, never the one that was for the first', async () => {
    await userEvent.type(await openCode(), '11988776655{Enter}')
    await screen.findByText('ABCD-1234')
    await userEvent.click(screen.getByText('Trocar o número'))
    const phone = screen.getByLabelText('Telefone do WhatsApp')
    expect(phone).toHaveProperty('value', '(11) 98877-6655')
    expect(screen.queryByText('ABCD-1234')).toBeNull()
    prosaServer.use(
      http.post('/api/whatsapp/connections/:id/pairing-code', async ({ params, request }) => {
        phones.push(await request.json())
        stored = [linking()]
        return HttpResponse.json({ id: params.id }, { status: 202 })
      }),
    )
    await userEvent.type(phone, '{Backspace}6{Enter}')
    expect(await screen.findByText('Pedindo o código ao WhatsApp...')).toBeTruthy()
    expect(phones).toEqual([{ phone: '5511988776655' }, { phone: '5511988776656' }])
    stored = [linking({ pairingCode: 'EFGH-5678' })]
    await readAgain()
    expect(await screen.findByText('EFGH-5678')).toBeTruthy()
  })

  const expire = () => {
    stored = [aConnection({ status: 'inactive' })]
    return readAgain()
  }
  const renewable = () =>
    prosaServer.use(
      http.post('/api/whatsapp/connections/:id/refresh', ({ params }) => {
        stored = [linking()]
        return HttpResponse.json({ id: params.id })
      }),
    )

  it('keeps the number when time runs out while it is typed, and speaks of no code', async () => {
    renewable()
    await userEvent.type(await openCode(), '119887')
    await expire()
    expect(await screen.findByText('O tempo para gerar o código acabou.')).toBeTruthy()
    await userEvent.click(screen.getByText('Tentar de novo'))
    expect(await screen.findByLabelText('Telefone do WhatsApp')).toHaveProperty('value', '(11) 9887')
  })

  it('keeps the number when the time to type the code runs out', async () => {
    renewable()
    await userEvent.type(await openCode(), '11988776655{Enter}')
    await screen.findByText('ABCD-1234')
    await expire()
    expect(await screen.findByText('O tempo para digitar o código acabou.')).toBeTruthy()
    await userEvent.click(screen.getByText('Tentar de novo'))
    expect(await screen.findByLabelText('Telefone do WhatsApp')).toHaveProperty('value', '(11) 98877-6655')
    await expire()
    expect(await screen.findByText('O tempo para gerar o código acabou.')).toBeTruthy()
  })

  it('shows why there is no code now, and leads back to the QR code', async () => {
    prosaServer.use(http.post('/api/whatsapp/connections/:id/pairing-code', () => refuse('pairing_code_unavailable')))
    await userEvent.type(await openCode(), '11988776655{Enter}')
    expect(await screen.findByText(/O código só pode ser pedido enquanto/)).toBeTruthy()
    await userEvent.click(screen.getByText('Usar QR Code'))
    expect(screen.getByAltText(/QR Code/)).toHaveProperty('src', qrCode)
  })
})

describe('the network of a new connection', () => {
  it('is chosen where there are two', async () => {
    prosaServer.use(http.get('/api/whatsapp/networks', () => HttpResponse.json(['whatsapp', 'simulator'])))
    const dialog = within(await openForm())
    expect(await dialog.findByLabelText('WhatsApp')).toHaveProperty('checked', true)
    await userEvent.click(dialog.getByLabelText('Simulador'))
    await userEvent.type(dialog.getByLabelText('Nome da conexão'), 'Loja{Enter}')
    await expect.poll(() => created).toEqual([{ name: 'Loja', network: 'simulator' }])
  })
})

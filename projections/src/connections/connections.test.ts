import type { EventOf } from '@prosa/contracts/events/all-events'
import type { connectionEvents } from '@prosa/contracts/events/sessions'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'

type ConnectionEvent = EventOf<typeof connectionEvents>

const added: ConnectionEvent = { type: 'ConnectionAdded', data: { name: 'Balcão' } }
const linking: ConnectionEvent = { type: 'LinkingStarted', data: { until: at(9000) } }
const qr: ConnectionEvent = { type: 'QrCodeIssued', data: { expiresAt: at(8000) } }
const linked: ConnectionEvent = {
  type: 'NumberLinked',
  data: { phone: '5511988776655', lid: null, pushName: 'Padaria' },
}
const opened: ConnectionEvent = { type: 'LineOpened', data: {} }
const dropped = (code: number): ConnectionEvent => ({ type: 'LineDropped', data: { code, reason: 'gone' } })
const scanned = [added, linking, qr, linked]
const up = [...scanned, opened]

describe('GET /api/whatsapp/connections', () => {
  let prosa: Awaited<ReturnType<typeof testProjections>>
  beforeAll(async () => {
    prosa = await testProjections({ now: () => at(7000) })
  })
  afterAll(() => prosa.stop())

  let subscribers = 0
  const after = async (...events: ConnectionEvent[]) => {
    const tenant = idOf(`subscriber ${++subscribers}`)
    const id = idOf(`connection of ${tenant}`)
    let position: string | undefined
    for (const event of events) position = await prosa.append(tenant, `connection-${id}`, event)
    return { tenant, id, position, body: (await prosa.get('/api/whatsapp/connections', tenant, position)).body }
  }

  it.each<[string, ConnectionEvent[], object]>([
    ['connecting once it was added', [added, linking], { status: 'connecting', qrDeadline: at(9000) }],
    ['qr_ready while there is a code to scan', [added, linking, qr], { status: 'qr_ready', qrDeadline: at(9000) }],
    [
      'connecting, with the reason why there is no code yet, while it waits for its turn',
      [added, linking, { type: 'LinkingDelayed', data: {} }],
      { status: 'connecting', statusReason: expect.stringContaining('chegar a sua vez') },
    ],
    [
      'inactive when nobody scanned in time',
      [added, linking, qr, { type: 'LinkingExpired', data: {} }],
      { status: 'inactive', qrDeadline: null, statusReason: 'O tempo para escanear o QR Code acabou.' },
    ],
    [
      'authenticated once a phone scanned',
      scanned,
      { status: 'authenticated', phone: '5511988776655', qrDeadline: null },
    ],
    ['authenticated while WhatsApp restarts it after linking', [...scanned, dropped(515)], { status: 'authenticated' }],
    ['connected while the line is up', up, { status: 'connected', phoneNumber: '5511988776655', statusReason: null }],
    [
      'connecting when the line dropped',
      [...up, dropped(408)],
      { status: 'connecting', statusReason: 'A conexão com o WhatsApp caiu. O Prosa está reconectando.' },
    ],
    [
      'connected, without a reason, once it healed',
      [...up, dropped(408), opened],
      { status: 'connected', statusReason: null },
    ],
    [
      'inactive when another program took over',
      [...up, { type: 'ConnectionReplaced', data: {} }],
      { status: 'inactive' },
    ],
    [
      'error when WhatsApp refuses the number',
      [...up, { type: 'ConnectionRefused', data: { code: 403, reason: 'forbidden' } }],
      {
        status: 'error',
        statusReason: 'O WhatsApp bloqueou este número. Abra o WhatsApp no celular para ver o motivo.',
      },
    ],
    [
      'error when WhatsApp bans the number',
      [...up, { type: 'ConnectionRefused', data: { code: 406, reason: 'Connection Failure' } }],
      {
        status: 'error',
        statusReason: 'O WhatsApp bloqueou este número. Abra o WhatsApp no celular para ver o motivo.',
      },
    ],
    [
      'error when WhatsApp bans the number for a while',
      [...up, { type: 'ConnectionRefused', data: { code: 402, reason: 'Connection Failure' } }],
      {
        status: 'error',
        statusReason:
          'O WhatsApp bloqueou este número por um tempo. Veja no celular até quando; depois, toque em Atualizar.',
      },
    ],
    ...[500, 428].map((code): [string, ConnectionEvent[], object] => [
      `error with what to do about it where WhatsApp refuses with ${code}`,
      [...up, { type: 'ConnectionRefused', data: { code, reason: 'refused' } }],
      { status: 'error', statusReason: expect.stringMatching(/ Toque em Atualizar e escaneie o novo QR Code\.$/) },
    ]),
    [
      'disconnected, without a number, when the phone removed it',
      [...up, { type: 'NumberUnlinked', data: {} }],
      {
        status: 'disconnected',
        phone: null,
        statusReason: 'O celular removeu o Prosa dos aparelhos conectados.',
      },
    ],
    [
      'disconnected when the subscriber disconnected',
      [...up, { type: 'ConnectionDisconnected', data: {} }],
      { status: 'disconnected', phoneNumber: null, statusReason: null },
    ],
  ])('is %s', async (_, events, expected) => {
    const { id, body } = await after(...events)
    expect(body).toMatchObject([{ id, name: 'Balcão', serverTime: at(7000), ...expected }])
  })

  it.each<[string, ConnectionEvent[]]>([
    ['unused', [added, linking, qr]],
    ['unused', [added, linking, qr, { type: 'LinkingExpired', data: {} }]],
    ['unused', [added, linking, { type: 'ConnectionDisconnected', data: {} }, linking]],
    ['recovering', scanned],
    ['open', up],
    ['recovering', [...up, dropped(408)]],
    ['replaced', [...up, { type: 'ConnectionReplaced', data: {} }]],
    ['paused', [...up, { type: 'ConnectionRefused', data: { code: 402, reason: 'banned for a while' } }]],
    ['refused', [...up, { type: 'ConnectionRefused', data: { code: 403, reason: 'forbidden' } }]],
    ['unlinked', [...up, { type: 'NumberUnlinked', data: {} }]],
    ['unlinked', [...up, { type: 'NumberUnlinked', data: {} }, linking, qr]],
    ['disconnected', [...up, { type: 'ConnectionDisconnected', data: {} }]],
    ['open', [...up, { type: 'NumberUnlinked', data: {} }, linking, qr, linked, opened]],
  ])('shows its line as %s, with the cause as long as it lasts', async (line, events) => {
    expect((await after(...events)).body).toMatchObject([{ line }])
  })

  it('is gone once it was removed', async () => {
    expect((await after(...up, { type: 'ConnectionRemoved', data: {} })).body).toEqual([])
  })

  it('shows since when the line is up, however often it is reported again', async () => {
    const { tenant, id, position } = await after(...up)
    const [before] = (await prosa.get('/api/whatsapp/connections', tenant, position)).body
    const again = await prosa.append(tenant, `connection-${id}`, opened)
    const [now] = (await prosa.get('/api/whatsapp/connections', tenant, again)).body
    expect(now.statusSince).toBe(before.statusSince)
    expect(now.lastActivity > before.lastActivity).toBe(true)
  })

  it('shows the image of a QR code while there is one to scan, and never afterwards', async () => {
    const { tenant, id } = await after(added, linking, qr)
    await prosa.ports.secrets.put('qr', id, 'data:image/png;base64,AAAA')
    expect((await prosa.get('/api/whatsapp/connections', tenant)).body[0].qrCode).toBe('data:image/png;base64,AAAA')
    const position = await prosa.append(tenant, `connection-${id}`, linked)
    expect((await prosa.get('/api/whatsapp/connections', tenant, position)).body[0].qrCode).toBeNull()
  })

  it('shows a pairing code from when WhatsApp issued it until it is used, expires or new codes are asked for', async () => {
    const issued: ConnectionEvent = {
      type: 'PairingCodeIssued',
      data: { phone: '5511988776655', expiresAt: at(9000) },
    }
    const ends: ConnectionEvent[] = [linked, linking, { type: 'LinkingExpired', data: {} }]
    for (const end of ends) {
      const { tenant, id } = await after(added, linking, qr, issued, qr)
      await prosa.ports.secrets.put('pairing-code', id, 'ABCD-1234')
      const [shown] = (await prosa.get('/api/whatsapp/connections', tenant)).body
      expect(shown).toMatchObject({ pairingCode: 'ABCD-1234', status: 'qr_ready', qrDeadline: at(9000) })
      const position = await prosa.append(tenant, `connection-${id}`, end)
      expect((await prosa.get('/api/whatsapp/connections', tenant, position)).body[0].pairingCode, end.type).toBeNull()
    }
  })

  it('shows which network it links to; the first of this installation where it was added without a choice', async () => {
    const simulated = { ...added, data: { name: 'Teste', network: 'simulator' as const } }
    expect((await after(simulated)).body[0].network).toBe('simulator')
    expect((await after(added)).body[0].network).toBe('whatsapp')
    const { tenant } = await after()
    expect((await prosa.get('/api/whatsapp/networks', tenant)).body).toEqual(['whatsapp'])
  })

  it('shows the same as a quick session and as a session, each under its own names', async () => {
    const { tenant, id } = await after(added, linking, qr)
    await prosa.ports.secrets.put('qr', id, 'data:image/png;base64,AAAA')
    const [connection] = (await prosa.get('/api/whatsapp/connections', tenant)).body
    const { lastActivity } = connection
    const qrCode = 'data:image/png;base64,AAAA'
    const quick = { id, name: 'Balcão', status: 'qr_ready', qrCode, phoneNumber: null, lastActivity }
    expect((await prosa.get('/api/whatsapp/quick-sessions', tenant)).body).toEqual([quick])
    const session = { name: 'Balcão', token: id, status: 'qr_ready', phoneNumber: null, lastActivity }
    expect((await prosa.get('/api/whatsapp/sessions', tenant)).body).toEqual([session])
    expect((await prosa.get(`/api/whatsapp/qr/${id}`, tenant)).body).toEqual({ qrCode })
  })

  it.each<[string, ConnectionEvent[]]>([
    ['connecting', [added, linking]],
    ['inactive', [added, linking, { type: 'LinkingExpired', data: {} }]],
    ['active', scanned],
    ['active', up],
    ['connecting', [...up, dropped(408)]],
    ['inactive', [...up, { type: 'ConnectionReplaced', data: {} }]],
    ['inactive', [...up, { type: 'NumberUnlinked', data: {} }]],
    ['inactive', [...up, { type: 'ConnectionRefused', data: { code: 403, reason: 'forbidden' } }]],
  ])('is %s as a session', async (status, events) => {
    const { tenant, position } = await after(...events)
    const [session] = (await prosa.get('/api/whatsapp/sessions', tenant, position)).body
    expect(session.status).toBe(status)
  })

  it('has a QR code as a session only while there is one to scan, and only for its subscriber', async () => {
    const { tenant, id } = await after(added, linking, qr)
    const refusal = async (user: string, token: string) => {
      const { status, body } = await prosa.get(`/api/whatsapp/qr/${token}`, user)
      return `${status} ${body.title}`
    }
    expect(await refusal(tenant, id)).toBe('404 QR Code não disponível ainda. Aguarde alguns segundos.')
    await prosa.ports.secrets.put('qr', id, 'data:image/png;base64,AAAA')
    expect((await prosa.get(`/api/whatsapp/qr/${id}`, tenant)).status).toBe(200)
    expect(await refusal(idOf('a stranger'), id)).toBe('404 Sessão não encontrada.')
    expect(await refusal(tenant, 'no-id')).toBe('404 Sessão não encontrada.')
    const position = await prosa.append(tenant, `connection-${id}`, linked)
    await prosa.get('/api/whatsapp/connections', tenant, position)
    expect(await refusal(tenant, id)).toBe('404 QR Code não disponível ainda. Aguarde alguns segundos.')
  })

  it('lists only the subscriber’s own, oldest first', async () => {
    const { tenant, id } = await after(added)
    const second = idOf('a second connection')
    const position = await prosa.append(tenant, `connection-${second}`, added)
    const { body } = await prosa.get('/api/whatsapp/connections', tenant, position)
    expect(body.map((connection: { id: string }) => connection.id)).toEqual([id, second])
  })

  it('answers with what it has when a position does not come within 2 s', async () => {
    const { tenant, id } = await after(added)
    const started = performance.now()
    const { status, body } = await prosa.get('/api/whatsapp/connections', tenant, 'z')
    expect([status, body[0].id]).toEqual([200, id])
    expect(performance.now() - started).toBeGreaterThan(1900)
  })

  it('asks visitors to sign in', async () => {
    for (const path of ['connections', 'quick-sessions', 'sessions', 'qr/x', 'networks'])
      expect((await prosa.get(`/api/whatsapp/${path}`)).status, path).toBe(401)
  })
})

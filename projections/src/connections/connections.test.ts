import type { EventOf } from '@prosa/contracts/events/all-events'
import type { connectionEvents } from '@prosa/contracts/events/sessions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, idOf } from '../testing/test-log.ts'
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
  /** The connections of a new subscriber, one of which has had these events. */
  const after = async (...events: ConnectionEvent[]) => {
    const owner = idOf(`subscriber ${++subscribers}`)
    const id = idOf(`connection of ${owner}`)
    let position: string | undefined
    for (const event of events) position = await prosa.append(owner, `connection-${id}`, event)
    return { owner, id, position, body: (await prosa.get('/api/whatsapp/connections', owner, position)).body }
  }

  it.each<[string, ConnectionEvent[], object]>([
    ['connecting once it was added', [added, linking], { status: 'connecting', qrDeadline: at(9000) }],
    ['qr_ready while there is a code to scan', [added, linking, qr], { status: 'qr_ready', qrDeadline: at(9000) }],
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

  it('is gone once it was removed', async () => {
    expect((await after(...up, { type: 'ConnectionRemoved', data: {} })).body).toEqual([])
  })

  it('says since when the line is up, however often it is told again', async () => {
    const { owner, id, position } = await after(...up)
    const [before] = (await prosa.get('/api/whatsapp/connections', owner, position)).body
    const again = await prosa.append(owner, `connection-${id}`, opened)
    const [now] = (await prosa.get('/api/whatsapp/connections', owner, again)).body
    expect(now.statusSince).toBe(before.statusSince)
    expect(now.lastActivity > before.lastActivity).toBe(true)
  })

  it('shows the image of a QR code while there is one to scan, and never afterwards', async () => {
    const { owner, id } = await after(added, linking, qr)
    await prosa.ports.secrets.put('qr', id, 'data:image/png;base64,AAAA')
    expect((await prosa.get('/api/whatsapp/connections', owner)).body[0].qrCode).toBe('data:image/png;base64,AAAA')
    const position = await prosa.append(owner, `connection-${id}`, linked)
    expect((await prosa.get('/api/whatsapp/connections', owner, position)).body[0].qrCode).toBeNull()
  })

  it('lists only the subscriber’s own, oldest first', async () => {
    const { owner, id } = await after(added)
    const second = idOf('a second connection')
    const position = await prosa.append(owner, `connection-${second}`, added)
    const { body } = await prosa.get('/api/whatsapp/connections', owner, position)
    expect(body.map((connection: { id: string }) => connection.id)).toEqual([id, second])
  })

  it('answers with what it has when a position does not come within 2 s', async () => {
    const { owner, id } = await after(added)
    const started = performance.now()
    const { status, body } = await prosa.get('/api/whatsapp/connections', owner, 'z')
    expect([status, body[0].id]).toEqual([200, id])
    expect(performance.now() - started).toBeGreaterThan(1900)
  })

  it('tells visitors to sign in', async () => {
    expect((await prosa.get('/api/whatsapp/connections')).status).toBe(401)
  })
})

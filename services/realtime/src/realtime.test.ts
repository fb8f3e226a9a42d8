import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Connection } from '@prosa/contracts/http/connections'
import { systemClock } from '@prosa/kernel/clock'
import { loadCheckpoint, saveCheckpoint } from '@prosa/kernel/consumers/engine/checkpoints'
import { deleteParked, upsertParked } from '@prosa/kernel/consumers/engine/parked-queries'
import { projectionWorker } from '@prosa/kernel/consumers/projections/parking/parked-tenants'
import type { Position } from '@prosa/kernel/event-store/port'
import { browserSessions } from '@prosa/kernel/http/sign-in/browser-sessions'
import { transaction } from '@prosa/kernel/postgres/pool'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, idOf, type ReceivedEvent, testRealtime } from './testing/test-realtime.ts'

const received = (messageId: string): AnyEvent => ({
  type: 'MessageReceived',
  data: { messageId, connectionId: idOf('line'), content: { kind: 'text', text: 'oi' }, sentAt: systemClock.now() },
})
const added: AnyEvent = { type: 'ContactAdded', data: { name: null, phone: null, lid: null, origin: 'message' } }
const opened: AnyEvent = { type: 'LineOpened', data: {} }

const connection = (id: string): Connection => ({
  id,
  name: 'Balcão',
  status: 'connected',
  statusReason: null,
  line: 'open',
  statusSince: systemClock.now(),
  qrCode: null,
  qrDeadline: null,
  serverTime: systemClock.now(),
  phoneNumber: null,
  phone: null,
  lastActivity: null,
  pairingCode: null,
  network: 'whatsapp',
})

const refusalOf = (browser: Browser) => new Promise<Error>((resolve) => browser.once('connect_error', resolve))

describe('realtime', () => {
  let prosa: Awaited<ReturnType<typeof testRealtime>>
  beforeAll(async () => {
    prosa = await testRealtime(100)
  })
  afterAll(() => prosa.stop())

  let people = 0
  const newPerson = () => idOf(`person ${++people}`)
  /** Without initial events and session lists. */
  const pushes = (receivedEvents: ReceivedEvent[]) =>
    receivedEvents.filter(({ event }) => /_(message|update|removed)$/.test(event) && event !== 'session_status_update')
  const about = (receivedEvents: ReceivedEvent[], event: ReceivedEvent['event']) =>
    receivedEvents.filter((push) => push.event === event)

  it('pushes a message only when its read models show it, without holding up what is shown already', async () => {
    const [ana, contactId, connectionId] = [newPerson(), newPerson(), newPerson()]
    const { browser, receivedEvents } = await prosa.signIn(ana)
    const shownAtPush = new Promise((resolve) =>
      browser.once('whatsapp:new_message', async () =>
        resolve([
          await loadCheckpoint(prosa.ports.pool, 'chat-messages', 1),
          await loadCheckpoint(prosa.ports.pool, 'contact-list', 1),
        ]),
      ),
    )
    const position = await prosa.append(ana, `chat-${contactId}`, received('A'))
    prosa.connections.set(ana, [connection(connectionId)])
    await prosa.show(await prosa.append(ana, `connection-${connectionId}`, opened), ['connections'])
    await until(() => about(receivedEvents, 'whatsapp:connection_update').length === 1)
    expect(about(receivedEvents, 'whatsapp:new_message')).toEqual([])
    await prosa.show(position, ['contact-list'])
    await prosa.show(position, ['chat-messages'])
    await until(() => about(receivedEvents, 'whatsapp:new_message').length === 1)
    expect(about(receivedEvents, 'whatsapp:new_message')).toMatchObject([{ payload: { contactId, position } }])
    expect(await shownAtPush).toEqual([position, position])
  })

  it('notifies of notes once they are shown, to the own browsers alone', async () => {
    const [tenant, other] = [idOf('notes'), idOf('other notes')]
    const { browser, receivedEvents } = await prosa.signIn(tenant)
    const stranger = await prosa.signIn(other)
    const data = { noteId: idOf('note'), text: 'segredo', attendantId: tenant }
    const position = await prosa.append(tenant, `contact-${idOf('noted')}`, { type: 'ContactNoteWritten', data })
    await prosa.show(position, ['contact-list'])
    expect(about(receivedEvents, 'whatsapp:contact_update')).toEqual([])
    await prosa.show(position, ['contact-notes'])
    await until(() => about(receivedEvents, 'whatsapp:contact_update').length === 1)
    expect(about(receivedEvents, 'whatsapp:contact_update')).toMatchObject([
      { payload: { contactId: idOf('noted'), position } },
    ])
    expect(about(stranger.receivedEvents, 'whatsapp:contact_update')).toEqual([])
    browser.disconnect()
    stranger.browser.disconnect()
  })

  it('notifies of a changed subscription once all that shows it does, on every browser of the subscriber and on no other', async () => {
    const [tenant, other] = [idOf('subscribed'), idOf('other subscriber')]
    const own = [await prosa.signIn(tenant), await prosa.signIn(tenant)]
    const stranger = await prosa.signIn(other)
    const updates = (browser: { receivedEvents: ReceivedEvent[] }) =>
      about(browser.receivedEvents, 'account:update').map(({ payload }) => payload)
    const position = await prosa.append(tenant, `subscription-${tenant}`, { type: 'TrialEnded', data: {} })
    await prosa.show(position, ['account'])
    expect(own.flatMap(updates)).toEqual([])
    await prosa.show(position, ['usage'])
    await until(() => own.every((browser) => updates(browser).length === 1))
    expect(own.map(updates)).toEqual([[{ position }], [{ position }]])

    const later = await prosa.append(other, `subscription-${other}`, { type: 'AccessEnded', data: {} })
    await prosa.show(later, ['account', 'usage'])
    await until(() => updates(stranger).length > 0)
    expect(updates(stranger)).toEqual([{ position: later }])
    expect(own.map(updates)).toEqual([[{ position }], [{ position }]])
    for (const { browser } of [...own, stranger]) browser.disconnect()
  })

  const paused = { reason: 'starts', count: 10, withinSeconds: 600 } as const
  const transferred = { runId: newPerson(), flowId: newPerson(), version: 1, endedAt: '2026-11-27T12:00:00.000Z' }
  it.each([
    ['a possible robot', 'whatsapp:robot_suspected', 'contact', { type: 'RobotSuspected', data: paused }],
    [
      'who asked for a person',
      'whatsapp:person_asked',
      'flowRun',
      { type: 'FlowRunEnded', data: { ...transferred, reason: 'handed_over' } },
    ],
  ] as const)('announces %s once its list shows it, to the own browsers alone', async (_, name, category, event) => {
    const [tenant, other, contactId] = [newPerson(), newPerson(), newPerson()]
    const { receivedEvents } = await prosa.signIn(tenant)
    const stranger = await prosa.signIn(other)
    const position = await prosa.append(tenant, `${category}-${contactId}`, event)
    expect(about(receivedEvents, name)).toEqual([])
    await prosa.show(position, ['contact-list'])
    await until(() => about(receivedEvents, name).length === 1)
    await until(() => about(receivedEvents, 'whatsapp:contact_update').length === 1)
    expect(about(receivedEvents, name)).toMatchObject([{ payload: { contactId, position } }])
    expect(about(stranger.receivedEvents, name)).toEqual([])
  })

  it('notifies of contacts by their list alone', async () => {
    const [ana, contactId] = [newPerson(), newPerson()]
    const { receivedEvents } = await prosa.signIn(ana)
    const position = await prosa.append(ana, `contact-${contactId}`, added)
    await prosa.show(position, ['contact-list'])
    await until(() => about(receivedEvents, 'whatsapp:contact_update').length === 1)
    expect(about(receivedEvents, 'whatsapp:contact_update')).toMatchObject([{ payload: { contactId, position } }])
  })

  it('shows a connection as its read model does, and reports when it is gone', async () => {
    const [ana, id] = [newPerson(), newPerson()]
    const shown = connection(id)
    const { receivedEvents } = await prosa.signIn(ana)
    prosa.connections.set(ana, [shown])
    await prosa.show(await prosa.append(ana, `connection-${id}`, opened))
    await until(() => about(receivedEvents, 'session_status_update').length === 1)
    expect(about(receivedEvents, 'whatsapp:connection_update')).toMatchObject([{ payload: shown }])
    const status = { token: id, status: 'active', phoneNumber: null, lastActivity: null }
    expect(about(receivedEvents, 'session_status_update')).toMatchObject([{ payload: status }])
    prosa.connections.delete(ana)
    await prosa.show(await prosa.append(ana, `connection-${id}`, { type: 'ConnectionRemoved', data: {} }))
    await until(() => about(receivedEvents, 'whatsapp:connection_removed').length === 1)
    expect(about(receivedEvents, 'whatsapp:connection_removed')).toMatchObject([{ payload: { connectionId: id } }])
  })

  it('sends whoever connects the connections of the subscriber', async () => {
    const [ana, id] = [newPerson(), newPerson()]
    const shown = connection(id)
    prosa.connections.set(ana, [shown])
    const { receivedEvents } = await prosa.signIn(ana)
    expect(receivedEvents[0]).toEqual({ event: 'whatsapp:connections', payload: [shown] })
    const session = { id, name: 'Balcão', status: 'connected', qrCode: null, phoneNumber: null, lastActivity: null }
    await until(() => about(receivedEvents, 'resumed').length === 1)
    expect(about(receivedEvents, 'whatsapp:sessions')).toEqual([{ event: 'whatsapp:sessions', payload: [session] }])
    expect(about(receivedEvents, 'wppconnect:sessions')).toEqual([{ event: 'wppconnect:sessions', payload: [session] }])
  })

  it('sends a burst of one chat in a few pushes, the last of which leads to its end', async () => {
    const [ana, contactId] = [newPerson(), newPerson()]
    const { receivedEvents } = await prosa.signIn(ana)
    let end = await prosa.append(ana, `chat-${contactId}`, received('0'))
    for (let index = 1; index < 200; index++) end = await prosa.append(ana, `chat-${contactId}`, received(`${index}`))
    await prosa.show(end)
    const isLast = ({ payload }: ReceivedEvent) => 'position' in payload && payload.position === end
    await until(() => receivedEvents.some(isLast))
    expect(about(receivedEvents, 'whatsapp:new_message').length).toBeLessThanOrEqual(2)
  })

  it('pushes what is shown late, as after the death of a process of projections, and goes on with others meanwhile', async () => {
    const [ana, contactId, connectionId] = [newPerson(), newPerson(), newPerson()]
    const { receivedEvents } = await prosa.signIn(ana)
    const late = await prosa.append(ana, `chat-${contactId}`, received('A'))
    await prosa.ports.readModels.reached(['chat-messages'], late, 4000)
    prosa.connections.set(ana, [connection(connectionId)])
    await prosa.show(await prosa.append(ana, `connection-${connectionId}`, opened), ['connections'])
    await until(() => about(receivedEvents, 'whatsapp:connection_update').length === 1)
    expect(about(receivedEvents, 'whatsapp:new_message')).toEqual([])
    await prosa.show(late)
    await until(() => about(receivedEvents, 'whatsapp:new_message').length > 0)
    expect(about(receivedEvents, 'whatsapp:new_message')).toMatchObject([{ payload: { contactId, position: late } }])
  })

  it('lets a browser that comes back resume before what is not pushed yet', async () => {
    const [ana, contactId] = [newPerson(), newPerson()]
    const late = await prosa.append(ana, `chat-${contactId}`, received('A'))
    await prosa.ports.readModels.reached(['chat-messages'], late, 4000)
    const { receivedEvents } = await prosa.signIn(ana)
    await until(() => about(receivedEvents, 'resumed').length === 1)
    const [{ payload } = { payload: undefined }] = about(receivedEvents, 'resumed')
    expect(payload && 'position' in payload && payload.position < late).toBe(true)
    await prosa.show(late)
    await until(() => about(receivedEvents, 'whatsapp:new_message').length > 0)
  })

  it('sends a subscriber whose rows stand still nothing, and asks it to read everything once they are shown again', async () => {
    const [ana, caio] = [newPerson(), newPerson()]
    const [ofAna, ofCaio] = [await prosa.signIn(ana), await prosa.signIn(caio)]
    await until(() => about(ofAna.receivedEvents, 'resumed').length === 1)
    const change = (position: Position, isParked: boolean) =>
      transaction(prosa.ports.pool, async (db) => {
        const failure = { errorName: 'TypeError', message: 'thrown at a test', attempts: 1, effectId: null }
        const event = { id: idOf('unshown'), position }
        prosa.expectParkedTenants('chat-messages')
        const [id, worker] = [idOf('parked'), projectionWorker('chat-messages')]
        if (isParked) await upsertParked(db, id, worker, event, failure, systemClock.now(), ana)
        else await deleteParked(db, [id])
        await saveCheckpoint(db, 'chat-messages', 1, position, [], { tenant: ana, isParked })
      })
    const last = await prosa.append(ana, `chat-${newPerson()}`, received('A'))
    await prosa.show(last, ['contact-list'])
    await change(last, true)
    const later = await prosa.append(caio, `chat-${newPerson()}`, received('B'))
    await prosa.show(later)
    await until(() => about(ofCaio.receivedEvents, 'whatsapp:new_message').length === 1)
    expect(pushes(ofAna.receivedEvents)).toEqual([])

    await change(later, false)
    await until(() => about(ofAna.receivedEvents, 'resumed').length === 2)
    expect(about(ofAna.receivedEvents, 'resumed')[1]).toMatchObject({ payload: { complete: false } })
    expect(about(ofCaio.receivedEvents, 'resumed')).toHaveLength(1)
    await prosa.show(await prosa.append(ana, `chat-${newPerson()}`, received('C')))
    await until(() => about(ofAna.receivedEvents, 'whatsapp:new_message').length === 1)
  })

  it('sends another subscriber nothing', async () => {
    const [ana, caio] = [newPerson(), newPerson()]
    const [ofAna, ofCaio] = [await prosa.signIn(ana), await prosa.signIn(caio)]
    for (const category of ['contact', 'chat', 'connection'] as const) {
      const event = { contact: added, chat: received('A'), connection: opened }[category]
      await prosa.show(await prosa.append(ana, `${category}-${newPerson()}`, event))
    }
    await until(() => pushes(ofAna.receivedEvents).length === 3)
    // Pushes leave in order: nothing earlier is still under way.
    const own = newPerson()
    await prosa.show(await prosa.append(caio, `contact-${own}`, added))
    await until(() => pushes(ofCaio.receivedEvents).length > 0)
    expect(pushes(ofCaio.receivedEvents)).toMatchObject([
      { event: 'whatsapp:contact_update', payload: { contactId: own } },
    ])
  })

  it('sends what a contact is doing to whoever has the chat in view, and where an attendant writes', async () => {
    const [ana, caio, contactId] = [newPerson(), newPerson(), newPerson()]
    await prosa.append(ana, `contact-${contactId}`, added)
    const [inView, elsewhere, other] = [await prosa.signIn(ana), await prosa.signIn(ana), await prosa.signIn(caio)]
    const { pubSub } = prosa.ports
    const published: string[] = []
    pubSub.subscribe('contact.opened', ({ contactId: id }) => void published.push(`opened ${id}`))
    pubSub.subscribe(
      'contact.typing',
      ({ tenant, contactId: id, state }) => void published.push(`${tenant} ${state} ${id}`),
    )
    for (const { browser } of [inView, other]) await browser.emitWithAck('contact:open', contactId)
    await until(() => published.length > 0)
    for (const { browser } of [elsewhere, other, inView]) browser.emit('contact:typing', contactId, 'typing')
    inView.browser.emit('contact:typing', contactId, 'dancing' as never)
    await until(() => published.length > 1)
    inView.browser.emit('contact:typing', contactId, 'paused')
    await until(() => published.length > 2)
    expect(published).toEqual([`opened ${contactId}`, `${ana} typing ${contactId}`, `${ana} paused ${contactId}`])

    await pubSub.publish('presence.received', { tenant: ana, contactId, state: 'recording' })
    await until(() => about(inView.receivedEvents, 'whatsapp:presence').length === 1)
    expect(about(inView.receivedEvents, 'whatsapp:presence')).toMatchObject([
      { payload: { contactId, state: 'recording' } },
    ])
    expect([
      ...about(elsewhere.receivedEvents, 'whatsapp:presence'),
      ...about(other.receivedEvents, 'whatsapp:presence'),
    ]).toEqual([])
  })

  it('has no more chats in view than a browser shows: what it opened longest ago is out of view', async () => {
    const ana = newPerson()
    const contacts = Array.from({ length: 15 }, newPerson)
    for (const contactId of contacts) await prosa.append(ana, `contact-${contactId}`, added)
    const { browser, receivedEvents } = await prosa.signIn(ana)
    for (const contactId of contacts) expect(await browser.emitWithAck('contact:open', contactId)).toBe(true)
    const [first, ...others] = contacts
    expect(await browser.emitWithAck('contact:open', first ?? '')).toBe(true)
    const { pubSub } = prosa.ports
    for (const contactId of contacts)
      await pubSub.publish('presence.received', { tenant: ana, contactId, state: 'typing' })
    const shown = () =>
      about(receivedEvents, 'whatsapp:presence').flatMap(({ event, payload }) =>
        event === 'whatsapp:presence' ? payload.contactId : [],
      )
    await until(() => shown().includes(others.at(-1) ?? ''))
    expect(shown().toSorted()).toEqual([first, ...others.slice(-9)].toSorted())
  })

  it('goes on whatever a browser names instead of a contact', async () => {
    const [ana, contactId] = [newPerson(), newPerson()]
    await prosa.append(ana, `contact-${contactId}`, added)
    const { browser } = await prosa.signIn(ana)
    const noContacts = [{ toString: 1, valueOf: 1 }, null, undefined, 7, [contactId], '\0', 'x'.repeat(900)] as never[]
    for (const named of noContacts) {
      browser.emit('contact:close', named)
      browser.emit('contact:typing', named, named)
      expect(await browser.emitWithAck('contact:open', named)).toBe(false)
    }
    expect(await browser.emitWithAck('contact:open', contactId)).toBe(true)
  })

  it('notifies of files that belong to a chat, of quick replies, labels, flows and settings', async () => {
    const [ana, contactId, mediaId] = [newPerson(), newPerson(), newPerson()]
    const { receivedEvents } = await prosa.signIn(ana)
    const file = { mediaType: 'image/jpeg', bytes: 3, sha256: 'ab' }
    await prosa.append(ana, `media-${newPerson()}`, { type: 'MediaStored', data: { contactId: null, ...file } })
    const stored = await prosa.append(ana, `media-${mediaId}`, { type: 'MediaStored', data: { contactId, ...file } })
    const reply = { quickReplyId: newPerson(), shortcut: 'pix', content: 'Chave: 1', isActive: true }
    await prosa.show(await prosa.append(ana, `quickReply-${newPerson()}`, { type: 'QuickReplyAdded', data: reply }))
    await until(() => about(receivedEvents, 'quick_replies:update').length === 1)
    const label = { labelId: newPerson(), name: 'Fiel', colour: 'green' } as const
    const created = await prosa.append(ana, `label-${ana}`, { type: 'LabelCreated', data: label })
    await prosa.show(created)
    await until(() => about(receivedEvents, 'labels:update').length === 1)
    expect(about(receivedEvents, 'labels:update')).toMatchObject([{ payload: { position: created } }])
    const folder = { name: 'Vendas', description: '', isSample: false }
    const made = await prosa.append(ana, `flowFolder-${newPerson()}`, { type: 'FlowFolderCreated', data: folder })
    await prosa.show(made)
    await until(() => about(receivedEvents, 'flows:update').length === 1)
    expect(about(receivedEvents, 'flows:update')).toMatchObject([{ payload: { position: made } }])
    const described = await prosa.append(ana, `company-${ana}`, {
      type: 'CompanyDescribed',
      data: { name: 'Padaria Sol', email: '', phone: '', website: '', address: '' },
    })
    await prosa.show(described)
    await until(() => about(receivedEvents, 'settings:update').length === 1)
    expect(about(receivedEvents, 'settings:update')).toMatchObject([{ payload: { position: described } }])
    await until(() => about(receivedEvents, 'whatsapp:media_update').length > 0)
    expect(about(receivedEvents, 'whatsapp:media_update')).toMatchObject([
      { payload: { contactId, mediaId, position: stored } },
    ])
  })

  it('sends a browser that comes back what it missed, and nothing of what others missed', async () => {
    const [ana, caio, missed, later] = [newPerson(), newPerson(), newPerson(), newPerson()]
    const ofCaio = await prosa.signIn(caio)
    const { browser, receivedEvents, token } = await prosa.signIn(ana)
    await until(() => about(receivedEvents, 'resumed').length === 1)
    expect(about(receivedEvents, 'resumed')).toMatchObject([{ payload: { complete: false } }])
    const seen = await prosa.append(ana, `contact-${newPerson()}`, added)
    await prosa.show(seen)
    await until(() => receivedEvents.some(({ event, payload }) => event === 'position' && payload.position >= seen))
    const [last] = about(receivedEvents, 'position').slice(-1)
    const position = prosa.tokenOf(ana, (last?.event === 'position' ? last.payload.position : '') as Position)
    browser.disconnect()

    await prosa.append(ana, `chat-${missed}`, received('A'))
    const shown = await prosa.append(caio, `chat-${newPerson()}`, received('A'))
    await prosa.show(shown)
    // Sent to the rooms: this browser alone missed what follows.
    await until(() =>
      ofCaio.receivedEvents.some(({ event, payload }) => event === 'position' && payload.position >= shown),
    )
    const back: ReceivedEvent[] = []
    prosa.open(token, { auth: { position } }).onAny((event, payload) => back.push({ event, payload } as ReceivedEvent))
    await until(() => about(back, 'resumed').length === 1)
    expect(pushes(back)).toMatchObject([{ event: 'whatsapp:new_message', payload: { contactId: missed } }])
    expect(about(back, 'resumed')).toMatchObject([{ payload: { complete: true } }])
    await prosa.show(await prosa.append(ana, `chat-${later}`, received('A')))
    await until(() => pushes(back).length === 2)
  })

  it('sends a browser that comes to a process that just starts what came meanwhile', async () => {
    let isStarting = false
    let findEnd: () => void = () => undefined
    const mayFindEnd = new Promise<void>((resolve) => {
      findEnd = resolve
    })
    const other = await testRealtime(60_000, {
      async beforeReadAll() {
        if (!isStarting) return
        isStarting = false
        await mayFindEnd
      },
    })
    const [ana, contactId] = [newPerson(), newPerson()]
    const { browser, receivedEvents, token } = await other.signIn(ana)
    await until(() => about(receivedEvents, 'resumed').length === 1)
    const [{ payload } = { payload: undefined }] = about(receivedEvents, 'resumed')
    const position = payload && 'position' in payload ? other.tokenOf(ana, payload.position as Position) : ''
    browser.disconnect()

    isStarting = true
    const starting = await other.startAnother()
    await until(() => !isStarting)
    const back: ReceivedEvent[] = []
    const again = starting.open(token, { auth: { position } })
    again.onAny((event, payload) => back.push({ event, payload } as ReceivedEvent))
    await until(() => about(back, 'whatsapp:connections').length === 1)
    await again.emitWithAck('contact:open', contactId)
    await other.show(await other.append(ana, `chat-${contactId}`, received('A')))
    findEnd()
    await until(() => about(back, 'resumed').length === 1)
    expect(pushes(back)).toMatchObject([{ event: 'whatsapp:new_message', payload: { contactId } }])
    await starting.stop()
    await other.stop()
  })

  // The last is an older release's raw position, which would reveal the log's length.
  it.each(['nowhere', '', 7, 'x'.repeat(200), '0000000000000000001'])(
    'lets a browser that names the position %s read everything',
    async (position) => {
      const { token } = await prosa.ports.browserSessions.issue(newPerson())
      const back: ReceivedEvent[] = []
      prosa
        .open(token, { auth: { position } })
        .onAny((event, payload) => back.push({ event, payload } as ReceivedEvent))
      await until(() => about(back, 'resumed').length === 1)
      expect(about(back, 'resumed')).toMatchObject([{ payload: { complete: false } }])
    },
  )

  it('lets a browser into the chats of its own subscriber only', async () => {
    const [ana, caio, contactId] = [newPerson(), newPerson(), newPerson()]
    await prosa.append(ana, `contact-${contactId}`, added)
    const [ofAna, ofCaio] = [await prosa.signIn(ana), await prosa.signIn(caio)]
    expect(await ofAna.browser.emitWithAck('contact:open', contactId)).toBe(true)
    expect(await ofCaio.browser.emitWithAck('contact:open', contactId)).toBe(false)
    expect(await ofCaio.browser.emitWithAck('contact:open', newPerson())).toBe(false)
    expect(await ofCaio.browser.emitWithAck('contact:open', 'all')).toBe(false)
    expect(await ofCaio.browser.emitWithAck('contact:open', { id: contactId } as never)).toBe(false)
  })

  it.each([undefined, '', 'guessed'])('refuses a socket without a browser session (%s)', async (token) => {
    const refusal = await refusalOf(prosa.open(token, { reconnection: false }))
    expect(refusal).toMatchObject({ message: 'Entre na sua conta para continuar.', data: { type: 'not_signed_in' } })
  })

  it.each(['polling', 'websocket'])('refuses a handshake from another site’s page over %s', async (transport) => {
    const { token } = await prosa.ports.browserSessions.issue(newPerson())
    const options = { transports: [transport], reconnection: false, extraHeaders: { origin: 'https://evil.example' } }
    const browser = prosa.open(token, options)
    expect((await refusalOf(browser)).message).toMatch(/error/)
    expect(browser.connected).toBe(false)
    expect(prosa.securityEvents()).toContain('foreign_origin')
  })

  it.each(['polling', 'websocket'])('takes a trusted origin over %s', async (transport) => {
    const { token } = await prosa.ports.browserSessions.issue(newPerson())
    const browser = prosa.open(token, { transports: [transport], extraHeaders: { origin: 'https://prosa.example' } })
    await until(() => browser.connected)
  })

  it('closes the sockets of a session that ends, and of no other', async () => {
    const ana = newPerson()
    const [leaving, staying] = [await prosa.signIn(ana), await prosa.signIn(ana)]
    await prosa.ports.browserSessions.revoke(leaving.token)
    await until(() => !leaving.browser.connected)
    expect(staying.browser.connected).toBe(true)
  })

  it('closes the sockets of a session that ended in another process', async () => {
    const { browser, token } = await prosa.signIn(newPerson())
    await browserSessions(prosa.ports.pool).revoke(token)
    await until(() => !browser.connected)
  })

  it('welcomes a browser back whose connection was cut', async () => {
    const [ana, contactId] = [newPerson(), newPerson()]
    const { browser, receivedEvents } = await prosa.signIn(ana)
    browser.io.engine.close()
    await until(() => about(receivedEvents, 'whatsapp:connections').length === 2)
    await prosa.show(await prosa.append(ana, `chat-${contactId}`, received('A')))
    await until(() => about(receivedEvents, 'whatsapp:new_message').length === 1)
  })

  it('lets browsers come back by themselves once the database is there again', async () => {
    const { token } = await prosa.ports.browserSessions.issue(newPerson())
    await prosa.ports.pool.query('alter table browser_session rename to away')
    const browser = prosa.open(token)
    await new Promise((resolve) => browser.io.once('reconnect_attempt', resolve))
    expect(browser.connected).toBe(false)
    await prosa.ports.pool.query('alter table away rename to browser_session')
    await until(() => browser.connected)
  })

  it('leaves browsers looking for it when it stops', async () => {
    const other = await testRealtime()
    const { browser } = await other.signIn(newPerson())
    await other.halt()
    await until(() => !browser.connected)
    expect(browser.active).toBe(true)
    await other.stop()
  })
})

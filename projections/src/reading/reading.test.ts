import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { announcements } from '@prosa/kernel/consumers/engine/announcement'
import { checkpointChannel } from '@prosa/kernel/consumers/engine/checkpoints'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { beginning } from '@prosa/kernel/event-store/port'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { loseListeners } from '@prosa/kernel/testing/lose-listeners'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'

const connectionId = idOf('line')
const waiting = '/api/whatsapp/contacts?status=waiting'
const connections = '/api/whatsapp/connections'

const added: AnyEvent = { type: 'ContactAdded', data: { name: 'Maria', phone: null, lid: null, origin: 'message' } }
const received = (messageId: string): AnyEvent => ({
  type: 'MessageReceived',
  data: { messageId, connectionId, content: { kind: 'text', text: 'oi' }, sentAt: at(0) },
})

describe('a GET that is repeated', () => {
  const now = at(9000)
  let prosa: Awaited<ReturnType<typeof testProjections>>
  let queries = 0
  beforeAll(async () => {
    prosa = await testProjections({ now: () => now })
    prosa.ports.pool.on('acquire', () => queries++)
  })
  afterAll(() => prosa.stop())

  let people = 0
  const aSubscriber = async () => {
    const id = idOf(`subscriber ${++people}`)
    const { token } = await prosa.ports.browserSessions.issue(id)
    const cookie = `${sessionCookie}=${token}`
    const get = async (path: string, tag?: string, position?: string) => {
      const headers: Record<string, string> = { cookie }
      if (tag) headers['if-none-match'] = tag
      if (position) headers['prosa-position'] = prosa.tokenOf(id, position)
      const {
        statusCode: status,
        headers: replied,
        body,
      } = await prosa.app.inject({ method: 'GET', url: path, headers })
      return { status, tag: replied.etag?.toString(), headers: replied, body }
    }
    /** First the full way, then the shortcut. */
    const tagOf = (path: string) =>
      until(async () => {
        const { tag } = await get(path, undefined, latest)
        if (!tag) return undefined
        for (let time = 0; time < 3; time++) if ((await get(path, tag)).status !== 304) return undefined
        return tag
      })
    return { id, token, get, tagOf }
  }
  let latest: string | undefined
  const append = async (tenant: string, stream: string, event: AnyEvent) => {
    latest = await prosa.append(tenant, stream, event)
  }
  const newContact = async (tenant: string) => {
    const id = idOf(`contact ${++people}`)
    await append(tenant, `contact-${id}`, added)
    return id
  }
  it('is answered 304 without a body and without a query, while nothing changed', async () => {
    const ana = await aSubscriber()
    const contactId = await newContact(ana.id)
    await append(ana.id, `chat-${contactId}`, received('A'))
    const paths = [
      waiting,
      `${waiting}&search=maria`,
      `/api/whatsapp/contacts/${contactId}`,
      `/api/whatsapp/contacts/${contactId}/messages`,
      '/api/whatsapp/contact-counts',
      connections,
    ]
    for (const path of paths) {
      const tag = await ana.tagOf(path)
      await until(async () => {
        const before = queries
        const { status, body, headers } = await ana.get(path, tag)
        expect(status).toBe(304)
        expect(body).toBe('')
        expect(headers).toMatchObject({ etag: tag, 'cache-control': 'no-store' })
        return queries === before
      })
    }
  })

  it('is answered with the same headers by the shortcut as by the full way', async () => {
    const ana = await aSubscriber()
    const { tag } = await ana.get(waiting)
    const replies = []
    for (let time = 0; time < 4; time++) replies.push(await ana.get(waiting, tag))
    const [full, ...shortcut] = replies.map(({ status, headers }) => ({
      status,
      headers: { ...headers, date: undefined },
    }))
    expect(full?.status).toBe(304)
    for (const reply of shortcut) expect(reply).toEqual(full)
  })

  it('that names several positions gets one that stands for them all, and none where it names one', async () => {
    const ana = await aSubscriber()
    await newContact(ana.id)
    const first = latest ?? ''
    await newContact(ana.id)
    const second = latest ?? ''
    const { positions } = prosa.app
    const named = async (...tokens: string[]) => {
      const cookie = `${sessionCookie}=${ana.token}`
      const headers = { cookie, 'prosa-position': tokens.join(', ') }
      const reply = await prosa.app.inject({ method: 'GET', url: waiting, headers })
      expect(reply.statusCode).toBe(200)
      return reply.headers['prosa-position']
    }
    const [earlier, later] = [prosa.tokenOf(ana.id, first), prosa.tokenOf(ana.id, second)]
    expect(positions.latestOf(ana.id, await named(later, earlier))).toBe(second)
    expect(await named(later)).toBeUndefined()
    expect(await named(second)).toBeUndefined()
  })

  it('is answered anew after a change of one’s own, and not after anybody else’s', async () => {
    const [ana, bia] = [await aSubscriber(), await aSubscriber()]
    const contactId = await newContact(ana.id)
    const [list, chat] = [waiting, `/api/whatsapp/contacts/${contactId}/messages`]
    const [tagOfList, tagOfChat] = [await ana.tagOf(list), await ana.tagOf(chat)]
    await newContact(bia.id)
    await bia.tagOf(list)
    expect((await ana.get(list, tagOfList)).status).toBe(304)
    await append(ana.id, `chat-${contactId}`, received('A'))
    const after = await ana.get(chat, tagOfChat, latest)
    expect(after.status).toBe(200)
    expect(after.body).toContain('"id":"A"')
    expect((await ana.get(list, tagOfList)).status).toBe(200)
    expect((await ana.get(chat, after.tag)).status).toBe(304)
  })

  it('waits for one’s own write before it answers that nothing changed', async () => {
    const ana = await aSubscriber()
    let tag = await ana.tagOf(waiting)
    for (let turn = 1; turn <= 10; turn++) {
      const contactId = await newContact(ana.id)
      const reply = await ana.get(waiting, tag, latest)
      expect(reply.body).toContain(contactId)
      tag = await ana.tagOf(waiting)
    }
  })

  it('is never answered by what somebody else read, or by another address', async () => {
    const [ana, bia] = [await aSubscriber(), await aSubscriber()]
    const tag = await ana.tagOf(waiting)
    await bia.tagOf(waiting)
    expect((await bia.get(waiting, tag)).status).toBe(200)
    expect((await ana.get('/api/whatsapp/contacts?status=resolved', tag)).status).toBe(200)
    expect((await ana.get(waiting, tag)).status).toBe(304)
  })

  it('understands lists of tags, and takes nothing else for a tag of its own', async () => {
    const ana = await aSubscriber()
    const tag = await ana.tagOf(waiting)
    expect(await ana.get(waiting, `"other", ${tag}`)).toMatchObject({ status: 304, tag })
    for (const asked of ['"other"', '*', '""', `${tag.slice(0, -2)}"`, tag.replaceAll('"', '')])
      expect((await ana.get(waiting, asked)).status).toBe(200)
  })

  it('is refused without a session, whatever it has read before', async () => {
    const ana = await aSubscriber()
    const tag = await ana.tagOf(waiting)
    await prosa.ports.browserSessions.revoke(ana.token)
    expect((await ana.get(waiting, tag)).status).toBe(401)
  })

  it('is limited like every other', async () => {
    const ana = await aSubscriber()
    const tag = await ana.tagOf(waiting)
    const statuses = new Set<number>()
    for (let time = 0; time <= 3000; time++) statuses.add((await ana.get(waiting, tag)).status)
    expect(statuses).toEqual(new Set([304, 429]))
  })

  it('has no tag where it is refused', async () => {
    const ana = await aSubscriber()
    await ana.tagOf(waiting)
    const refused = await ana.get(`/api/whatsapp/contacts/${idOf('nobody')}`)
    expect(refused).toMatchObject({ status: 404, tag: undefined })
  })

  it('is answered anew when something changed while it was being read', async () => {
    const ana = await aSubscriber()
    await ana.tagOf(waiting)
    const { pool, readModels } = prosa.ports
    const before = readModels.version('contact-list', ana.id)
    const blocking = await pool.connect()
    await blocking.query('begin; lock table contact_list in access exclusive mode')
    const reading = ana.get(waiting)
    await until(async () => {
      const { rows } = await blocking.query(
        "select 1 from pg_locks where not granted and relation = 'contact_list'::regclass",
      )
      return rows.length > 0
    })
    const position = readModels.position('contact-list') ?? beginning
    const [payload] = announcements({ name: 'contact-list', version: 1, position }, [ana.id], 'changed meanwhile')
    await pool.query('select pg_notify($1, $2)', [checkpointChannel, payload])
    await until(() => readModels.version('contact-list', ana.id) !== before)
    await blocking.query('commit')
    blocking.release()
    const { status, tag } = await reading
    expect(status).toBe(200)
    expect((await ana.get(waiting, tag)).status).toBe(200)
  })

  it('is never called unchanged by what was announced to nobody', async () => {
    const ana = await aSubscriber()
    const contactId = await newContact(ana.id)
    const path = `/api/whatsapp/contacts/${contactId}`
    const tag = await ana.tagOf(path)
    const { pool, databaseUrl } = prosa.ports
    const listenAgain = await loseListeners({ url: databaseUrl })
    await until(async () => (await ana.get(path, tag)).status === 200)
    const change = () => pool.query("update contact_list set service_status = 'attending' where id = $1", [contactId])
    await until(() => change().then(Boolean, () => false))
    await until(async () => (await ana.get(path, tag)).body.includes('"attending"'))
    expect((await ana.get(path)).tag).toBeUndefined()
    await listenAgain()
    await until(async () => {
      const reply = await ana.get(path, tag)
      expect(reply.status).toBe(200)
      return (await ana.get(path, reply.tag)).status === 304
    })
  })
})

describe('a GET whose reply time changes', () => {
  let now = at(9000)
  let prosa: Awaited<ReturnType<typeof testProjections>>
  beforeAll(async () => {
    prosa = await testProjections({ now: () => now })
  })
  afterAll(() => prosa.stop())

  const user = idOf('marina')
  const get = (path: string, headers: Record<string, string>) => prosa.app.inject({ method: 'GET', url: path, headers })
  const twice = async (path: string, position: string) => {
    const { token } = await prosa.ports.browserSessions.issue(user)
    const cookie = `${sessionCookie}=${token}`
    const first = await until(async () => {
      const reply = await get(path, { cookie, 'prosa-position': prosa.tokenOf(user, position) })
      return reply.headers.etag ? reply : undefined
    })
    const again = () => get(path, { cookie, 'if-none-match': String(first.headers.etag) })
    for (let time = 0; time < 3; time++) await again()
    return { first, again }
  }

  it('shows that a subscription is over as soon as it is', async () => {
    const person = { firstName: 'Marina', lastName: 'Alves', email: 'marina@padaria.com.br', credentialId: idOf('x') }
    await prosa.append(user, `user-${user}`, { type: 'UserRegistered', data: person })
    const started: AnyEvent = { type: 'TrialStarted', data: { endsAt: at(20_000) } }
    const position = await prosa.append(user, `subscription-${user}`, started)
    const { first, again } = await twice('/api/auth/user', position)
    expect(first.json()).toMatchObject({ subscriptionStatus: 'active' })
    now = at(19_999)
    expect((await again()).statusCode).toBe(304)
    now = at(20_000)
    expect((await again()).json()).toMatchObject({ subscriptionStatus: 'expired' })
  })

  it('sends the server’s time of connections at least once a minute', async () => {
    const id = idOf('connection')
    const position = await prosa.append(user, `connection-${id}`, { type: 'ConnectionAdded', data: { name: 'Loja' } })
    now = at(30_000)
    const { again } = await twice(connections, position)
    now = at(30_059)
    expect((await again()).statusCode).toBe(304)
    now = at(30_060)
    expect((await again()).json()).toMatchObject([{ serverTime: at(30_060) }])
  })

  it('always shows the QR code that is to be scanned now', async () => {
    const id = idOf('linking')
    const end = at(90_000)
    await prosa.append(user, `connection-${id}`, { type: 'ConnectionAdded', data: { name: 'Loja' } })
    await prosa.append(user, `connection-${id}`, { type: 'LinkingStarted', data: { until: end } })
    await prosa.ports.secrets.put('qr', id, 'data:image/png;base64,AAAA')
    const issued: AnyEvent = { type: 'QrCodeIssued', data: { expiresAt: end } }
    const { first, again } = await twice(connections, await prosa.append(user, `connection-${id}`, issued))
    expect(first.body).toContain('AAAA')
    await prosa.ports.secrets.put('qr', id, 'data:image/png;base64,BBBB')
    const next = await again()
    expect(next.statusCode).toBe(200)
    expect(next.body).toContain('BBBB')
  })
})

import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Position } from '@prosa/kernel/event-store/port'
import { until } from '@prosa/kernel/testing/until'
import { afterEach, describe, expect, it } from 'vitest'
import { type Browser, idOf, type RealtimeChanges, type ReceivedEvent, testRealtime } from './testing/test-realtime.ts'

const added: AnyEvent = { type: 'ContactAdded', data: { name: null, phone: null, lid: null, origin: 'message' } }
const limits = { socketsPerSession: 3, socketsPerAddress: 1000, socketEventsPerSecond: 10 }

let prosa: Awaited<ReturnType<typeof testRealtime>>
let elapsed: number
const start = async ({ budgets, ...changes }: RealtimeChanges = {}) => {
  elapsed = 0
  prosa = await testRealtime(60_000, { budgets: { ...limits, ...budgets }, stopwatch: () => elapsed, ...changes })
}
afterEach(() => prosa.stop())

let people = 0
const newPerson = () => idOf(`person of budgets ${++people}`)
const newSession = async (user = newPerson()) => (await prosa.ports.browserSessions.issue(user)).token

const refusalOf = (browser: Browser) => new Promise<Error>((resolve) => browser.once('connect_error', resolve))
const metric = async (name: string, labels = '') => {
  const text = await (await fetch(`${prosa.url}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${name}${labels} `))
  return Number(line?.split(' ').at(-1) ?? Number.NaN)
}
const once = { reconnection: false }
const connected = (browsers: readonly Browser[]) => browsers.filter((browser) => browser.connected).length

describe('the sockets of one browser session', () => {
  it('are refused with a sentence beyond a few, and let in again once one has closed, while others connect', async () => {
    await start()
    const token = await newSession()
    const open = Array.from({ length: 3 }, () => prosa.open(token, once))
    await until(() => connected(open) === 3)
    expect(await refusalOf(prosa.open(token, once))).toMatchObject({
      message: expect.stringMatching(/abas demais.*feche/i),
      data: { type: 'too_many_sockets' },
    })
    expect(await metric('prosa_sockets_refused_total', '{by="session"}')).toBe(1)
    const other = prosa.open(await newSession())
    await until(() => other.connected)
    open[0]?.disconnect()
    await until(async () => (await metric('prosa_sockets_open')) === 3)
    const next = prosa.open(token, once)
    await until(() => next.connected)
  })

  it.each(['polling', 'websocket'])('are not more when all are opened at once over %s', async (transport) => {
    await start()
    const token = await newSession()
    const flood = Array.from({ length: 6 }, () => prosa.open(token, { ...once, transports: [transport] }))
    const answers = await Promise.all(
      flood.map((each) =>
        Promise.race([refusalOf(each), new Promise((resolve) => each.once('connect', resolve as () => void))]),
      ),
    )
    expect(answers.filter((answer) => answer instanceof Error).length).toBe(3)
    expect(connected(flood)).toBe(3)
  })

  it('are not opened and closed again and again', async () => {
    await start()
    const token = await newSession()
    const outcomes: boolean[] = []
    for (let index = 0; index < 8; index++) {
      const browser = prosa.open(token, once)
      outcomes.push(
        await Promise.race([
          refusalOf(browser).then(() => false),
          new Promise<boolean>((resolve) => browser.once('connect', () => resolve(true))),
        ]),
      )
      browser.disconnect()
      await until(async () => (await metric('prosa_sockets_open')) === 0)
    }
    expect(outcomes).toEqual([true, true, true, true, true, true, false, false])
    elapsed += 60_000
    const later = prosa.open(token, once)
    await until(() => later.connected)
  })
})

describe('the sockets from one address', () => {
  const from = (address: string) => ({ ...once, extraHeaders: { 'x-forwarded-for': `192.0.2.1, ${address}` } })

  it('are refused beyond some, of IPv6 for the whole network of a customer, behind a proxy by the address it names', async () => {
    await start({ budgets: { socketsPerAddress: 2 }, trustProxy: true })
    const open = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9'].map(async (address) =>
      prosa.open(await newSession(), from(address)),
    )
    const browsers = await Promise.all(open)
    await until(() => connected(browsers) === 2)
    const refused = prosa.open(await newSession(), from('2001:db8:1:2::3'))
    expect((await refusalOf(refused)).message).toMatch(/error/)
    expect(await metric('prosa_sockets_refused_total', '{by="address"}')).toBeGreaterThan(0)
    const elsewhere = prosa.open(await newSession(), from('2001:db8:1:3::1'))
    await until(() => elsewhere.connected)
    browsers[0]?.disconnect()
    await until(async () => (await metric('prosa_sockets_open')) === 2)
    const next = prosa.open(await newSession(), from('2001:db8:1:2::3'))
    await until(() => next.connected)
  })

  it('count before anybody is signed in, whatever the address claims without a trusted proxy', async () => {
    await start({ budgets: { socketsPerAddress: 5 } })
    const handshake = (index: number) =>
      fetch(`${prosa.url}/socket.io/?EIO=4&transport=polling`, { headers: { 'x-forwarded-for': `192.0.2.${index}` } })
    const statuses = await Promise.all(Array.from({ length: 20 }, async (_, index) => (await handshake(index)).status))
    expect(statuses.filter((status) => status === 200).length).toBe(5)
    expect(statuses.filter((status) => status === 403).length).toBe(15)
  })
})

describe('the events of one socket', () => {
  const contactOf = async (user: string) => {
    const contactId = newPerson()
    await prosa.append(user, `contact-${contactId}`, added)
    return contactId
  }

  it('are dropped beyond its pace, and counted, while those of others arrive', async () => {
    await start()
    const [ana, caio] = [newPerson(), newPerson()]
    const [ofAna, ofCaio] = [await contactOf(ana), await contactOf(caio)]
    const [loud, calm] = [await prosa.signIn(ana), await prosa.signIn(caio)]
    let answered = 0
    for (let index = 0; index < 300; index++) loud.browser.emit('contact:open', ofAna, () => answered++)
    await until(async () => (await metric('prosa_socket_events_dropped_total')) === 201)
    expect(await calm.browser.emitWithAck('contact:open', ofCaio)).toBe(true)
    await until(() => answered === 99)
    expect(loud.browser.connected).toBe(true)
    elapsed += 1000
    for (let index = 0; index < 20; index++) loud.browser.emit('contact:open', ofAna, () => answered++)
    await until(() => answered === 109)
    await until(async () => (await metric('prosa_socket_events_dropped_total')) === 211)
  })

  it('cut it when there are far too many', async () => {
    await start()
    const ana = newPerson()
    const contactId = await contactOf(ana)
    const { browser } = await prosa.signIn(ana)
    const other = await prosa.signIn(newPerson())
    for (let index = 0; index < 1100; index++) browser.emit('contact:close', contactId)
    await until(() => !browser.connected)
    expect(await metric('prosa_sockets_cut_total')).toBe(1)
    expect(other.browser.connected).toBe(true)
  })
})

describe('browsers that come back all at once', () => {
  const resumed = (browser: Browser) =>
    new Promise<boolean>((resolve) => browser.once('resumed', ({ complete }) => resolve(complete)))

  it('read the log a few of a tenant at a time, so that another tenant’s resumes at once', async () => {
    let paused: Position | undefined
    const waiting: (() => void)[] = []
    await start({
      budgets: { socketsPerSession: 30 },
      beforeReadAll: (after) =>
        after === paused ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(),
    })
    const [ana, caio] = [newPerson(), newPerson()]
    paused = await prosa.append(ana, `contact-${newPerson()}`, added)
    const recent = await prosa.append(caio, `contact-${newPerson()}`, added)
    await prosa.show(recent)
    const token = await newSession(ana)
    const auth = { position: prosa.tokenOf(ana, paused) }
    const flood = Array.from({ length: 29 }, () => prosa.open(token, { ...once, auth }))
    const answers: boolean[] = []
    for (const browser of flood) void resumed(browser).then((complete) => answers.push(complete))
    await until(() => answers.length === 7)
    expect(answers).toEqual(Array.from({ length: 7 }, () => false))
    expect(waiting.length).toBe(2)
    expect(await resumed(prosa.open(await newSession(caio), { auth: { position: prosa.tokenOf(caio, recent) } }))).toBe(
      true,
    )
    await until(() => {
      waiting.shift()?.()
      return answers.length === 29
    })
    expect(answers.slice(7)).toEqual(Array.from({ length: 22 }, () => true))
    expect(await metric('prosa_resumes_refused_total')).toBe(7)
  })

  it('read it no more often than they should: the others read everything anew', async () => {
    let reads = 0
    let old: Position | undefined
    await start({
      budgets: { socketsPerSession: 4 },
      beforeReadAll: async (after) => void (after === old && reads++),
    })
    const ana = newPerson()
    old = await prosa.append(ana, `contact-${newPerson()}`, added)
    await prosa.show(old)
    const [one, other] = [await newSession(ana), await newSession(ana)]
    const answers: boolean[] = []
    for (let index = 0; index < 8; index++) {
      const browser = prosa.open(index % 2 ? one : other, { ...once, auth: { position: prosa.tokenOf(ana, old) } })
      answers.push(await resumed(browser))
      browser.disconnect()
      await until(async () => (await metric('prosa_sockets_open')) === 0)
    }
    expect(answers).toEqual([true, true, true, true, false, false, false, false])
    expect(reads).toBe(4)
    const caio = newPerson()
    const auth = { position: prosa.tokenOf(caio, old) }
    expect(await resumed(prosa.open(await newSession(caio), { auth }))).toBe(true)
    elapsed += 1000
    expect(await resumed(prosa.open(one, { auth: { position: prosa.tokenOf(ana, old) } }))).toBe(true)
  })

  it('get no more pushes than reading anew would cost', async () => {
    await start()
    const ana = newPerson()
    const first = await prosa.append(ana, `contact-${newPerson()}`, added)
    let last = first
    for (let index = 0; index < 150; index++) last = await prosa.append(ana, `contact-${newPerson()}`, added)
    await prosa.show(last)
    const received: ReceivedEvent[] = []
    const browser = prosa.open(await newSession(ana), { auth: { position: prosa.tokenOf(ana, first) } })
    browser.onAny((event, payload) => received.push({ event, payload } as ReceivedEvent))
    expect(await resumed(browser)).toBe(false)
    expect(received.filter(({ event }) => event === 'whatsapp:contact_update')).toEqual([])
  })
})

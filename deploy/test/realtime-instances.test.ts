import { randomBytes } from 'node:crypto'
import type { Contact } from '@prosa/contracts/http/live-chat'
import type { ClientToServer, ServerToClient } from '@prosa/contracts/realtime'
import { testPostgres } from '@prosa/kernel/postgres/testing'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { noRedis, type RedisServer, startRedis } from '@prosa/kernel/testing/redis-server'
import { type TcpProxy, tcpProxy } from '@prosa/kernel/testing/tcp-proxy'
import { until } from '@prosa/kernel/testing/until'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Product, startProduct } from './product.ts'
import { caddy, type RealtimeProcess, type RunningGateway, startGateway, startRealtime } from './realtime-processes.ts'
import type { Visitor } from './visitor.ts'

const number = '5511900000001'
const missing = [noRedis, caddy ? '' : ' (skipped: no caddy)'].join('')

let redis: RedisServer
/** The second process's way to Redis. */
let wayToRedis: TcpProxy
let database: Awaited<ReturnType<typeof testPostgres>>
let product: Product
let instances: RealtimeProcess[]
let gateway: RunningGateway
let marina: Visitor
let people = 0

type Transport = 'websocket' | 'polling'
type Browser = Socket<ServerToClient, ClientToServer>

const newPerson = () => product.whatsapp.addPhone(`55119880${String(10_000 + ++people)}`, `Pessoa ${people}`)

/** A browser keeps the gateway's cookie, which leads to one process. */
const stickyCookie = async () => {
  const reply = await fetch(`${gateway.url}/socket.io/?EIO=4&transport=polling`)
  return reply.headers.getSetCookie()[0]?.split(';')[0]
}

const openBrowser = (
  url: string,
  transports: Transport[],
  cookies: (string | undefined)[] = [marina.cookie],
): Browser => {
  const cookie = cookies.filter(Boolean).join('; ')
  const browser: Browser = io(url, { forceNew: true, reconnectionDelay: 50, transports, extraHeaders: { cookie } })
  onTestFinished(() => void browser.disconnect())
  return browser
}

/** What a screen shows: as the web app, it reads again what a push names, and everything where the server cannot say what was missed. */
const screen = (browser: Browser) => {
  const shown = new Map<string, string[]>()
  const pushes: string[] = []
  let received: string | undefined
  let pending = 0
  let isOver = false
  onTestFinished(() => {
    isOver = true
  })
  const read = async (contactId: string) => {
    pending++
    try {
      const texts = (await marina.messages(contactId)).map(({ content }) => content)
      shown.set(contactId, texts)
    } catch (error) {
      // What it reads after its test is nobody's.
      if (!isOver) throw error
    } finally {
      pending--
    }
  }
  browser.auth = (send) => send(received === undefined ? {} : { position: received })
  browser.on('position', ({ position }) => {
    received = position
  })
  browser.on('whatsapp:new_message', ({ contactId, position }) => {
    pushes.push(`${contactId} ${position}`)
    void read(contactId)
  })
  let resumes = 0
  browser.on('resumed', async ({ position, complete }) => {
    received = position
    resumes++
    if (complete) return
    for (const { id } of await marina.all<Contact>('/api/whatsapp/contacts?status=waiting')) void read(id)
  })
  return { shown, pushes, resumes: () => resumes, isIdle: () => pending === 0 }
}

const portOf = async (browsers: number) => {
  for (const instance of instances) if ((await instance.sockets()) >= browsers) return instance
  return undefined
}

describe.skipIf(missing)(`two processes of realtime behind Caddy${missing}`, () => {
  beforeAll(async () => {
    redis = await startRedis()
    database = await testPostgres()
    const secret = randomBytes(32)
    product = await startProduct({ database, secret, redisUrl: redis.url, givesTokens: true })
    const env = {
      DATABASE_URL: database.url,
      PROSA_SECRET: secret.toString('hex'),
      PROSA_REDIS_URL: redis.url,
      PROSA_MAX_SOCKETS_PER_SESSION: '5',
    }
    wayToRedis = await tcpProxy(Number(new URL(redis.url).port))
    const other = { ...env, PROSA_REDIS_URL: `redis://127.0.0.1:${wayToRedis.port}` }
    instances = await Promise.all([startRealtime(env), startRealtime(other)])
    const ports = instances.map(({ port }) => port)
    gateway = await startGateway(caddy ?? { program: '', version: '', hasStreamCloseDelay: false }, ports, product.url)
    marina = product.visitor()
    marina.url = gateway.url
    await marina.register()
    await marina.link(product.whatsapp.addPhone(number, 'Padaria'), 'Padaria')
  }, 120_000)
  afterAll(async () => {
    await gateway.stop()
    for (const instance of instances) await instance.kill()
    await product.stop()
    await database.drop()
    await wayToRedis.close()
    await redis.kill()
  })

  it('each show a change once, though both follow the log', async () => {
    const screens = instances.map(({ port }) => screen(openBrowser(`http://127.0.0.1:${port}`, ['websocket'])))
    await until(() => screens.every(({ resumes }) => resumes() > 0))
    await newPerson().sendText(number, 'Uma vez')
    await until(() => screens.every(({ pushes }) => pushes.length > 0))
    await newPerson().sendText(number, 'Depois')
    await until(() => screens.every(({ shown }) => shown.size === 2))
    for (const { pushes } of screens) expect(pushes.toSorted()).toEqual([...new Set(pushes)].toSorted())
  }, 60_000)

  it.each<Transport>(['websocket', 'polling'])(
    'go on for each other over %s: a process killed under load, nothing missed, nothing twice',
    async (transport) => {
      const browser = openBrowser(gateway.url, [transport], [marina.cookie, await stickyCookie()])
      const { shown, resumes, isIdle } = screen(browser)
      await until(() => browser.connected && resumes() > 0)
      const holder = await until(() => portOf(1))
      const senders = Array.from({ length: shortOrLong(12, 24) }, newPerson)
      const sent = (async () => {
        for (const [index, sender] of senders.entries()) {
          await sender.sendText(number, `${transport} ${index}`)
          if (index === senders.length / 3) await holder.kill()
        }
      })()
      await sent
      expect(await holder.sockets().catch(() => 'dead')).toBe('dead')
      const texts = () => [...shown.values()].flat().filter((text) => text.startsWith(transport))
      await until(() => isIdle() && new Set(texts()).size === senders.length)
      expect(texts()).toHaveLength(senders.length)
      expect(browser.connected).toBe(true)
      browser.disconnect()
      await holder.start()
    },
    90_000,
  )

  it('end the sockets of a session that ended, wherever they are, within two seconds', async () => {
    const other = await product.visitor().register()
    const browsers = instances.map(({ port }) => openBrowser(`http://127.0.0.1:${port}`, ['websocket'], [other.cookie]))
    await until(() => browsers.every(({ connected }) => connected))
    await other.post('/api/auth/logout')
    await until(() => browsers.every(({ connected }) => !connected), 2000)
  })

  it('count the sockets of a session together', async () => {
    // Its openings are paced over all processes too: ten at once.
    const { cookie } = await product.visitor().register()
    const browsers = Array.from({ length: 10 }, (_, index) => {
      const browser = openBrowser(`http://127.0.0.1:${instances[index % 2]?.port}`, ['websocket'], [cookie])
      let refused = false
      browser.on('connect_error', () => {
        refused = true
        browser.disconnect()
      })
      return { browser, refused: () => refused }
    })
    await until(() => browsers.every(({ browser, refused }) => browser.connected || refused()))
    expect(browsers.filter(({ browser }) => browser.connected)).toHaveLength(5)
  })

  it('show who types, but not while Redis is away; live chat goes on, and health says so', async () => {
    const ana = newPerson()
    const screens = instances.map(({ port }) => {
      const browser = openBrowser(`http://127.0.0.1:${port}`, ['websocket'])
      const state = { typing: 0 }
      browser.on('whatsapp:presence', ({ state: shown }) => {
        if (shown === 'typing') state.typing++
      })
      return { browser, state, ...screen(browser) }
    })
    await until(() => screens.every(({ browser, resumes }) => browser.connected && resumes() > 0))
    await ana.sendText(number, 'Oi, é a Ana')
    const contactId = await until(() => {
      const found = screens.map(({ shown }) => [...shown].find(([, texts]) => texts.includes('Oi, é a Ana'))?.[0])
      return found.every(Boolean) && found[0]
    })
    const isOpen = async () => {
      for (const { browser } of screens) await browser.timeout(5000).emitWithAck('contact:open', contactId)
      ana.setTyping(number, true)
      ana.setTyping(number, false)
      return screens.every(({ state }) => state.typing > 0)
    }
    await until(isOpen)

    await redis.kill()
    for (const instance of instances) await until(async () => 'redis' in (await instance.trouble()))
    for (const { state } of screens) state.typing = 0
    const bia = newPerson()
    await bia.sendText(number, 'Ainda chega')
    await until(() => screens.every(({ shown }) => [...shown.values()].flat().includes('Ainda chega')))
    await isOpen()
    expect(screens.map(({ state }) => state.typing)).toEqual([0, 0])
    expect((await marina.ask('GET', '/api/auth/user')).status).toBe(200)

    await redis.start()
    await until(isOpen)
    for (const instance of instances) await until(async () => !('redis' in (await instance.trouble())))
  }, 60_000)

  it('go on where one is cut off from Redis alone, and its health says so', async () => {
    const screens = instances.map(({ port }) => screen(openBrowser(`http://127.0.0.1:${port}`, ['websocket'])))
    await until(() => screens.every(({ resumes }) => resumes() > 0))
    wayToRedis.refuse(true)
    const [connected, cutOff] = instances
    await until(async () => 'redis' in ((await cutOff?.trouble()) ?? {}))
    await newPerson().sendText(number, 'Sem Redis de um lado')
    await until(() => screens.every(({ shown }) => [...shown.values()].flat().includes('Sem Redis de um lado')))
    const late = screen(openBrowser(`http://127.0.0.1:${cutOff?.port}`, ['websocket']))
    await until(() => late.resumes() > 0)
    expect(await connected?.trouble()).not.toHaveProperty('redis')
    const { cookie } = await product.visitor().register()
    const browser = openBrowser(`http://127.0.0.1:${cutOff?.port}`, ['websocket'], [cookie])
    await until(() => browser.connected)

    wayToRedis.refuse(false)
    await until(async () => !('redis' in ((await cutOff?.trouble()) ?? { redis: '' })))
  }, 60_000)
})

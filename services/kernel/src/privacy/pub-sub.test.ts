import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { openRedis } from '../redis/redis.ts'
import { noRedis, startRedis } from '../testing/redis-server.ts'
import { testPorts } from '../testing/test-ports.ts'
import { until } from '../testing/until.ts'
import { overRedis } from './pub-sub.ts'

describe('messages between services that nobody keeps', () => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  it('reaches every listener of its topic and no other, and travels encrypted', async () => {
    const ports = await testPorts()
    closing.push(() => ports.close())
    const [tenant, contactId] = [randomUUID(), randomUUID()]
    const received: string[] = []
    const over = new AbortController()
    ports.pubSub.subscribe('contact.opened', ({ contactId: id }) => void received.push(`one ${id}`))
    ports.pubSub.subscribe('contact.opened', ({ contactId: id }) => void received.push(`two ${id}`), over.signal)
    ports.pubSub.subscribe('contact.typing', () => void received.push('typing'))
    const client = await ports.pool.connect()
    const wire: string[] = []
    client.on('notification', ({ payload }) => wire.push(payload ?? ''))
    await client.query('listen prosa_topics')

    await until(async () => {
      await ports.pubSub.publish('contact.opened', { tenant, contactId })
      return received.length > 1
    })
    expect(new Set(received)).toEqual(new Set([`one ${contactId}`, `two ${contactId}`]))
    await until(() => wire.length > 0)
    expect(wire.join()).not.toContain(contactId)
    client.release(true)

    over.abort()
    received.length = 0
    await ports.pubSub.publish('contact.opened', { tenant, contactId: tenant })
    await until(() => received.includes(`one ${tenant}`))
    expect(received).not.toContain(`two ${tenant}`)
  })

  it('goes on after a listener that fails', async () => {
    const ports = await testPorts()
    closing.push(() => ports.close())
    const message = { tenant: randomUUID(), contactId: randomUUID() }
    let failed = 0
    let received = 0
    ports.pubSub.subscribe('contact.opened', async () => {
      failed++
      throw new Error('no')
    })
    ports.pubSub.subscribe('contact.opened', () => void received++)
    await until(async () => {
      await ports.pubSub.publish('contact.opened', message)
      return failed > 2
    })
    expect(received).toBeGreaterThan(1)
  })

  it('is an error for whoever publishes where it cannot be sent', async () => {
    const ports = await testPorts()
    await ports.close()
    const message = { tenant: randomUUID(), contactId: randomUUID() }
    await expect(ports.pubSub.publish('contact.opened', message)).rejects.toThrow()
  })
})

describe.skipIf(noRedis)(`presence over Redis${noRedis}`, () => {
  const contactId = randomUUID()
  const presence = { tenant: randomUUID(), contactId, state: 'typing' } as const

  it('reaches the other processes encrypted, is lost while Redis is away and nothing else is, and comes again', async () => {
    const server = await startRedis()
    onTestFinished(() => server.kill())
    const ports = await testPorts()
    onTestFinished(() => ports.close())
    const { box, log } = ports
    const open = async () => {
      const redis = await openRedis(server.url, log)
      onTestFinished(() => redis.close())
      return { redis, pubSub: overRedis({ redis, box, log, others: ports.pubSub }) }
    }
    const [one, other] = [await open(), await open()]
    let wire = ''
    const spy = one.redis.subscriber()
    spy.on('message', (_channel, message) => {
      wire += message
    })
    await spy.subscribe('prosa_topics')
    let [shown, asked] = [0, 0]
    other.pubSub.subscribe('presence.received', () => void shown++)
    other.pubSub.subscribe('number.postponed', () => void asked++)
    const question = { requestId: randomUUID(), retryAfterSeconds: 1 }

    const show = () => one.pubSub.publish('presence.received', presence)
    const isShown = async () => {
      await show()
      return shown > 0
    }
    await until(isShown)
    await until(() => wire.length > 0)
    expect(wire).not.toContain(contactId)

    await server.kill()
    await until(() => one.redis.isAway())
    shown = 0
    await show()
    await until(async () => {
      await one.pubSub.publish('number.postponed', question)
      return asked > 0
    })
    expect(shown).toBe(0)

    await server.start()
    await until(isShown)
  })
})

import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { testPorts } from './testing/test-ports.ts'
import { until } from './testing/until.ts'

describe('what services tell each other for a moment', () => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  it('reaches every listener of its topic and no other, and travels sealed', async () => {
    const ports = await testPorts()
    closing.push(() => ports.close())
    const [owner, contactId] = [randomUUID(), randomUUID()]
    const heard: string[] = []
    const over = new AbortController()
    ports.pubSub.subscribe('contact.opened', ({ contactId: id }) => void heard.push(`one ${id}`))
    ports.pubSub.subscribe('contact.opened', ({ contactId: id }) => void heard.push(`two ${id}`), over.signal)
    ports.pubSub.subscribe('contact.typing', () => void heard.push('typing'))
    const client = await ports.pool.connect()
    const wire: string[] = []
    client.on('notification', ({ payload }) => wire.push(payload ?? ''))
    await client.query('listen prosa_topics')

    await until(async () => {
      await ports.pubSub.publish('contact.opened', { owner, contactId })
      return heard.length > 1
    })
    expect(new Set(heard)).toEqual(new Set([`one ${contactId}`, `two ${contactId}`]))
    await until(() => wire.length > 0)
    expect(wire.join()).not.toContain(contactId)
    client.release(true)

    over.abort()
    heard.length = 0
    await ports.pubSub.publish('contact.opened', { owner, contactId: owner })
    await until(() => heard.includes(`one ${owner}`))
    expect(heard).not.toContain(`two ${owner}`)
  })
})

import type { Contact } from '@prosa/contracts/http/live-chat'
import type { WebhookCall } from '@prosa/contracts/http/webhooks'
import { beginning } from '@prosa/kernel/event-store/port'
import { until } from '@prosa/kernel/testing/until'
import { readConfig } from '@prosa/product/process/config'
import { isSignedWith, type Receiver, startReceiver } from '@prosa/streams/webhooks/testing/receiver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from './product.ts'
import type { Visitor } from './visitor.ts'

const shopNumber = '5511900000001'
const types = ['prosa.contacts.message-received.v1', 'prosa.contacts.conversation-accepted.v1']

let product: Product
let receiver: Receiver
let tenant: Visitor
beforeAll(async () => {
  product = await startProduct()
  receiver = await startReceiver()
  tenant = await product.visitor().register()
  await tenant.link(product.whatsapp.addPhone(shopNumber, 'Padaria Sol'))
}, 60_000)
afterAll(async () => {
  await product?.stop()
  await receiver?.close()
})

const rowsOf = async (table: string) => (await product.ports.pool.query(`select * from ${table}`)).rows

describe('a webhook of a subscriber', () => {
  it('gets what a customer writes and what is done with it, and says so in the history', async () => {
    const wish = { name: 'Planilha', address: receiver.url, types, withPersonal: true }
    const { id, secret } = await tenant.post<{ id: string; secret: string }>('/api/webhooks', wish)
    const ana = product.whatsapp.addPhone('5511988776655', 'Ana')
    await ana.sendText(shopNumber, 'Vocês abrem domingo?')
    const contact = await until<Contact | undefined>(async () => (await tenant.contacts('waiting'))[0])
    await tenant.ask('PATCH', `/api/whatsapp/contacts/${contact.id}/status`, { status: 'attending' })
    await until(() => receiver.received.length === 2)
    const message = receiver.received.find(({ event }) => event.type === types[0])
    expect(message?.event).toMatchObject({ subject: `chat-${contact.id}`, data: { text: 'Vocês abrem domingo?' } })
    expect(receiver.received.map((one) => isSignedWith(secret, one))).toEqual([true, true])
    const calls = await until(async () => {
      const found = await tenant.get<WebhookCall[]>(`/api/webhooks/${id}/calls?status=delivered`)
      return found.length === 2 && found
    })
    expect(JSON.stringify(calls)).not.toContain('domingo')
    const stored = JSON.stringify(await rowsOf('webhook_call'))
    expect(stored).not.toMatch(/domingo|5511988776655|127\.0\.0\.1/)
    expect(stored).not.toContain(secret.slice(6))
  })

  it('has its address and name encrypted in the log, and nothing is left of it when the account is erased', async () => {
    const read = async () => {
      const texts: string[] = []
      for await (const { events } of product.ports.store.readAll(beginning, { categories: ['webhook'] }))
        texts.push(...events.map(({ data }) => JSON.stringify(data)))
      return texts.join()
    }
    expect(await read()).toContain('message-received')
    expect(await read()).not.toMatch(/Planilha|127\.0\.0\.1/)
    const sent = receiver.received.length
    await tenant.post('/api/auth/erase-account', { password: tenant.password })
    await until(async () => (await rowsOf('webhook_call')).length === 0 && (await rowsOf('webhook')).length === 0)
    await until(async () => {
      const { rows } = await product.ports.pool.query(
        `select from subject_key where subject like 'webhooks:%' and wrapped is not null`,
      )
      return rows.length === 0
    })
    expect(receiver.received).toHaveLength(sent)
  })

  it('may not be of a private network', async () => {
    const other = await product.visitor().register()
    for (const address of ['https://10.0.0.7/x', 'https://[fd00::1]/x', 'https://169.254.169.254/latest/meta-data'])
      expect(
        (await other.ask<{ type: string }>('POST', '/api/webhooks', { name: 'x', address, types })).body.type,
      ).toBe('webhook_address_private')
  })
})

describe('the product as production wires it', () => {
  it.each(['PROSA_REACH', 'REACH', 'PROSA_WEBHOOK_REACH'])(
    'has no variable that lets requests go further: %s',
    (name) =>
      expect(readConfig('production', { PROSA_SECRET: 'ab'.repeat(32), [name]: 'loopback too' }).reach).toBeUndefined(),
  )

  it('sends to no address of this machine or its network', async () => {
    const strict = await startProduct({ requestsGo: 'as in production' })
    try {
      const visitor = await strict.visitor().register()
      const refusalOf = async (address: string) =>
        (
          await visitor.ask<{ type: string }>('POST', '/api/webhooks', {
            name: 'Planilha',
            address,
            types,
            withPersonal: false,
          })
        ).body.type
      expect(await refusalOf(receiver.url)).toBe('webhook_address_not_https')
      for (const address of [
        receiver.url.replace('http:', 'https:'),
        'https://localhost/x',
        'https://[::ffff:7f00:1]/x',
      ])
        expect([address, await refusalOf(address)]).toEqual([address, 'webhook_address_private'])
    } finally {
      await strict.stop()
    }
  }, 60_000)
})

import { randomBytes } from 'node:crypto'
import { type ParkedWork, parkedWork } from '@prosa/contracts/http/administration/operations'
import { testPostgres } from '@prosa/kernel/postgres/testing'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeAdmin } from './give-role.ts'
import { type Product, startProduct } from './product.ts'
import { readModelsAgainstLog } from './read-models-against-log.ts'
import type { Visitor } from './visitor.ts'

const openShop = async (product: Product, number: string, customerNumber: string) => {
  const attendant = await product.visitor().register()
  const { id: tenant } = await attendant.get<{ id: string }>('/api/auth/user')
  const connection = await attendant.link(product.whatsapp.addPhone(number, `Loja ${number}`))
  const customer = product.whatsapp.addPhone(customerNumber, 'Cliente')
  await customer.sendText(number, 'oi')
  const contact = await until(async () => (await attendant.contacts('waiting'))[0])
  await until(async () => (await attendant.messages(contact.id)).length === 1)
  let pushes = 0
  let readAgain = 0
  const socket = attendant.socket()
  socket.on('whatsapp:new_message', () => void pushes++)
  socket.on('resumed', ({ complete }) => void (complete || readAgain++))
  await until(() => readAgain === 1)
  const texts = async (): Promise<string[]> => (await attendant.messages(contact.id)).map(({ content }) => content)
  return {
    tenant,
    attendant,
    contactId: contact.id,
    write: (text: string) => customer.sendText(number, text),
    answer: (text: string) => attendant.send(connection.id, contact.id, text),
    texts,
    shows: (...expected: string[]) => until(async () => (await texts()).join() === expected.join()),
    received: () => ({ pushes, readAgain }),
    close: () => socket.close(),
  }
}
type Shop = Awaited<ReturnType<typeof openShop>>

describe('the product beside a tenant one of whose messages cannot be shown', () => {
  const secret = randomBytes(32)
  let database: Awaited<ReturnType<typeof testPostgres>>
  let product: Product
  let healthy: Shop
  let poisoned: Shop
  let admin: Visitor
  beforeAll(async () => {
    database = await testPostgres()
    database.expectParkedTenants('chat-messages')
    product = await startProduct({ database, secret })
    healthy = await openShop(product, '5511900000001', '5511988776655')
    poisoned = await openShop(product, '5511900000002', '5511988776656')
    admin = await product.visitor().register()
    await makeAdmin(product, admin)
  }, 90_000)
  afterAll(async () => {
    for (const shop of [healthy, poisoned]) shop?.close()
    await product?.stop()
    await database?.drop()
  })

  /** A constraint makes PostgreSQL refuse this word for this tenant. */
  const poison = (word: string) =>
    database.pool.query(`alter table chat_message add constraint poison
      check (owner <> '${poisoned.tenant}' or content::text !~ '${word}') not valid`)
  const mend = () => database.pool.query('alter table chat_message drop constraint poison')
  const parked = async (): Promise<ParkedWork[]> =>
    z.array(parkedWork).parse((await admin.ask('GET', '/api/admin/parked-work')).body)
  const readiness = async () => (await healthy.attendant.ask<{ trouble: object }>('GET', '/health/ready')).body
  const metric = async () =>
    /^prosa_parked_keys\{worker="projection chat-messages"\} (\d+)$/m.exec(
      (await admin.ask<string>('GET', '/metrics')).body,
    )?.[1]

  it('goes on for the others, shows the tenant what it has at once, and all of it, once, after a retry', async () => {
    expect(await metric()).toBe('0')
    await poison('veneno')
    const atFirst = poisoned.received()
    await poisoned.write('antes')
    await poisoned.shows('oi', 'antes')
    await until(() => poisoned.received().pushes > atFirst.pushes)
    await poisoned.write('veneno')
    const [work] = await until(async () => {
      const list = await parked()
      return list.length > 0 && list
    })
    expect(work).toMatchObject({ worker: 'projection chat-messages', tenant: poisoned.tenant, waiting: 1 })
    expect(work?.message).toBe('PostgreSQL 23514')

    const before = { healthy: healthy.received(), poisoned: poisoned.received() }
    await poisoned.write('depois')
    await poisoned.answer('resposta')
    const took: number[] = []
    for (let reads = 0; reads < 3; reads++) {
      const asked = performance.now()
      expect(await poisoned.texts()).toEqual(['oi', 'antes'])
      took.push(performance.now() - asked)
    }
    expect(Math.min(...took)).toBeLessThan(1500)
    await healthy.write('bom dia')
    await until(() => healthy.received().pushes > before.healthy.pushes)
    await healthy.shows('oi', 'bom dia')
    expect(await readiness()).toMatchObject({ ready: true, trouble: { 'projection chat-messages': '1 keys parked' } })
    expect(await metric()).toBe('1')
    expect(poisoned.received()).toEqual(before.poisoned)

    await mend()
    expect((await admin.ask('POST', `/api/admin/parked-work/${work?.id}/retry`)).status).toBe(202)
    await until(() => poisoned.received().readAgain > before.poisoned.readAgain)
    expect(await poisoned.texts()).toEqual(['oi', 'antes', 'veneno', 'depois', 'resposta'])
    const { pushes } = poisoned.received()
    await poisoned.write('ao vivo')
    await until(() => poisoned.received().pushes > pushes)
    await poisoned.shows('oi', 'antes', 'veneno', 'depois', 'resposta', 'ao vivo')
    expect(await metric()).toBe('0')
    expect(await parked()).toEqual([])
    expect(await readModelsAgainstLog(product.ports, database.pool)).toEqual([])
  })

  it('shows what waited once a mended version starts, and goes on without what an administrator gives up', async () => {
    const shown = await poisoned.texts()
    await poison('peçonha')
    await poisoned.write('peçonha')
    const [work] = await until(async () => {
      const list = await parked()
      return list.length > 0 && list
    })
    await poisoned.write('de novo')
    await until(async () => (await parked())[0]?.waiting === 2)
    const release = { reason: 'mensagem de teste' }
    expect((await admin.ask('POST', `/api/admin/parked-work/${work?.id}/release`, release)).status).toBe(202)
    await poisoned.shows(...shown, 'de novo')

    await poisoned.write('mais peçonha')
    await until(async () => (await parked())[0]?.waiting === 1)
    await poisoned.write('fim')
    await until(async () => (await parked())[0]?.waiting === 2)
    for (const shop of [healthy, poisoned]) shop.close()
    await product.stop()
    await mend()
    product = await startProduct({ database, secret })
    const { cookie } = poisoned.attendant
    const again = product.visitor()
    again.cookie = cookie
    const texts = async () => (await again.messages(poisoned.contactId)).map(({ content }) => content)
    await until(async () => (await texts()).join() === [...shown, 'de novo', 'mais peçonha', 'fim'].join())
  })
})

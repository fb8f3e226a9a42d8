import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestContacts, testContacts } from '../testing/test-contacts.ts'

let service: TestContacts
beforeAll(async () => {
  service = await testContacts()
})
afterAll(() => service.stop())

const pix = { shortcut: '/pix', content: 'A chave é 12.345.678/0001-90.' }

const desk = async () => {
  const shop = await service.shop()
  const add = (body: object = pix, headers = {}) => shop.request('POST', '/api/quick-replies', body, headers)
  return { ...shop, add }
}

describe('quick replies', () => {
  it('are written down, changed and deleted', async () => {
    const { add, request, events } = await desk()
    const added = await add()
    const { id } = added.json()
    expect([added.statusCode, added.json()]).toEqual([201, { id, ...pix, shortcut: 'pix', isActive: true }])
    const changed = await request('PATCH', `/api/quick-replies/${id}`, { isActive: false })
    expect([changed.statusCode, changed.json()]).toEqual([200, { id, ...pix, shortcut: 'pix', isActive: false }])
    for (let time = 0; time < 2; time++) {
      const removed = await request('DELETE', `/api/quick-replies/${id}`)
      expect([removed.statusCode, removed.json()]).toEqual([200, { id }])
    }
    expect(await events('QuickReplyAdded', 'QuickReplyChanged', 'QuickReplyRemoved')).toHaveLength(3)
    expect((await request('PATCH', `/api/quick-replies/${id}`, { isActive: true })).statusCode).toBe(404)
  })

  it('are written down once when the request is repeated', async () => {
    const { add, events } = await desk()
    const headers = { 'idempotency-key': randomUUID() }
    const [first, second] = [await add(pix, headers), await add(pix, headers)]
    expect(second.json()).toEqual(first.json())
    expect(await events('QuickReplyAdded')).toHaveLength(1)
  })

  it('share no shortcut, also when many are written down in the same moment', async () => {
    const { add, events } = await desk()
    const replies = await Promise.all(['pix', 'PIX', 'píx', 'Pix'].map((shortcut) => add({ ...pix, shortcut })))
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409])
    const refused = replies.find(({ statusCode }) => statusCode === 409)?.json()
    expect(refused).toMatchObject({
      type: 'shortcut_taken',
      errors: [{ field: 'shortcut', message: 'Já existe uma resposta rápida com este atalho.' }],
    })
    expect(await events('QuickReplyAdded')).toHaveLength(1)
  })

  it.each([
    [{ shortcut: '/', content: 'oi' }, 'shortcut'],
    [{ shortcut: 'bom dia', content: 'oi' }, 'shortcut'],
    [{ shortcut: 'oi', content: '  ' }, 'content'],
  ])('need a shortcut without spaces and a content: %o', async (body, field) => {
    const reply = await (await desk()).add(body)
    expect([reply.statusCode, reply.json().errors[0].field]).toEqual([422, field])
  })

  it('are their subscriber’s alone', async () => {
    const [mine, theirs] = [await desk(), await desk()]
    const { id } = (await theirs.add()).json()
    expect((await mine.request('PATCH', `/api/quick-replies/${id}`, { content: 'meu' })).statusCode).toBe(404)
    expect((await mine.request('DELETE', `/api/quick-replies/${id}`)).statusCode).toBe(404)
    expect((await mine.add()).statusCode).toBe(201)
    expect(await theirs.events('QuickReplyChanged', 'QuickReplyRemoved')).toEqual([])
  })
})

import { contactSubject, webhookSubject } from '@prosa/contracts/events/subjects'
import { removeCheckpoint } from '@prosa/kernel/consumers/engine/checkpoints'
import { deriveId } from '@prosa/kernel/derive-id'
import { until } from '@prosa/kernel/testing/until'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isSignedWith, type Receiver, startReceiver } from './testing/receiver.ts'
import {
  ana,
  bia,
  contactOf,
  receivedType,
  resolvedType,
  type WebhookScene,
  webhookScene,
} from './testing/webhook-scene.ts'

const hourMs = 3_600_000

let scene: WebhookScene
let receiver: Receiver
let others: Receiver[]
beforeEach(async () => {
  scene = await webhookScene()
  receiver = await startReceiver()
  others = []
})
afterEach(async () => {
  await Promise.all([receiver, ...others].map((each) => each.close()))
  await scene.stop()
})

const anotherReceiver = async () => {
  const other = await startReceiver()
  others.push(other)
  return other
}
const idsAt = ({ received }: Receiver) => received.map(({ id }) => id)
const disabledCauses = async () =>
  (await scene.webhookEvents())
    .filter(({ type }) => type === 'WebhookDisabled')
    .map(({ data }) => (data as { cause: string }).cause)

describe('a webhook', () => {
  it('gets the chosen events of its tenant from its addition on, once, in order, and signed', async () => {
    await scene.receive(ana, 'maria', 'antes')
    const { secret } = await scene.add(ana, receiver.url)
    const ids: string[] = []
    for (let count = 0; count < 20; count++) {
      ids.push(await scene.receive(ana, 'maria'))
      await scene.receive(bia, 'joao')
    }
    await scene.append(ana, `contact-${contactOf('maria')}`, {
      type: 'ContactAdded',
      data: { phone: '5511988776655', lid: null, name: 'Maria', origin: 'message' },
    })
    await scene.run()
    await until(() => receiver.received.length >= 20)
    ids.push(await scene.receive(ana, 'maria'))
    await until(() => receiver.received.length >= 21)
    expect(idsAt(receiver)).toEqual(ids)
    for (const one of receiver.received) {
      expect(one.event.type).toBe(receivedType)
      expect(isSignedWith(secret, one)).toBe(true)
      expect(isSignedWith(secret, { ...one, body: `${one.body} ` })).toBe(false)
    }
    expect(receiver.received[0]?.headers).toMatchObject({
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-timestamp': String(Date.UTC(2026, 10, 27, 3) / 1000),
    })
  })

  it('gets pseudonyms, or its own personal data where they were asked for', async () => {
    const personal = await anotherReceiver()
    await scene.add(ana, receiver.url)
    await scene.add(ana, personal.url, { withPersonal: true })
    await scene.receive(ana, 'maria', 'SEGREDO')
    await scene.run()
    await until(() => receiver.received.length + personal.received.length === 2)
    expect(receiver.received[0]?.body).not.toMatch(new RegExp(`SEGREDO|${ana}|${contactOf('maria')}`))
    expect(personal.received[0]?.event).toMatchObject({
      subject: `chat-${contactOf('maria')}`,
      tenant: ana,
      data: { text: 'SEGREDO' },
    })
    expect((await scene.webhookEvents())[1]).toMatchObject({
      data: { withPersonal: true },
      metadata: { actor: { kind: 'user', id: ana }, recordedAt: '2026-11-27T03:00:00.000Z' },
    })
  })

  it('is tried again for a day in order of each conversation, which holds up no other conversation', async () => {
    const { id } = await scene.add(ana, receiver.url)
    const first = await scene.receive(ana, 'maria')
    const second = await scene.receive(ana, 'maria')
    const other = await scene.receive(ana, 'pedro')
    receiver.answerEach((one) => (one.id === first ? 500 : 200))
    await scene.run()
    await until(() => idsAt(receiver).includes(other))
    await until(async () => (await scene.calls(ana, id)).find(({ eventId }) => eventId === first)?.attemptCount === 1)
    for (const [attempts, ms] of [5000, 30_000, 120_000].entries()) {
      scene.advance(ms)
      await until(async () => (await scene.calls(ana, id)).some(({ attemptCount }) => attemptCount === attempts + 2))
    }
    const [, waits, failing] = await scene.calls(ana, id)
    expect(waits).toMatchObject({ eventId: second, status: 'waiting', attemptCount: 0, nextTryAt: null })
    expect(failing).toMatchObject({ eventId: first, status: 'waiting', attemptCount: 4 })
    expect(failing?.attempts.map(({ status, failure }) => [status, failure])).toEqual(Array(4).fill([500, 'status']))
    expect(failing?.nextTryAt).toBe('2026-11-27T03:12:35.000Z')
    receiver.answer(200)
    scene.advance(10 * 60_000)
    await until(() => idsAt(receiver).includes(second))
    expect(idsAt(receiver).slice(-2)).toEqual([first, second])
  })

  it('that is slow or dead delays no other', async () => {
    receiver.answer('never')
    await scene.add(ana, receiver.url)
    await scene.add(ana, 'http://127.0.0.1:1/nobody')
    const quick = await anotherReceiver()
    await scene.add(bia, quick.url)
    const ids: string[] = []
    for (let count = 0; count < 50; count++) {
      await scene.receive(ana, `contact ${count}`)
      ids.push(await scene.receive(bia, 'joao'))
    }
    await scene.run()
    await until(() => quick.received.length === 50, 8000)
    expect(idsAt(quick)).toEqual(ids)
    expect(receiver.received).toHaveLength(4)
  })

  it('is disabled when nothing got through for a day; resumed, it repeats what failed', async () => {
    receiver.answer(503)
    const { id } = await scene.add(ana, receiver.url)
    const ids = [await scene.receive(ana, 'maria'), await scene.receive(ana, 'maria')]
    await scene.run()
    await until(async () => {
      scene.advance(hourMs / 4)
      return (await disabledCauses()).length > 0
    })
    expect(await disabledCauses()).toEqual(['failing'])
    await until(async () => (await scene.calls(ana, id, '?status=failed')).length === 2)
    const [behind, head] = await scene.calls(ana, id)
    expect(behind?.attempts).toMatchObject([{ status: null, failure: 'disabled' }])
    expect(head?.attemptCount).toBeGreaterThan(8)
    expect((await scene.ask(ana, 'POST', `/${id}/repeat`, { eventId: null })).body.type).toBe('webhook_is_disabled')
    const before = receiver.received.length
    const missed = await scene.receive(ana, 'maria')
    receiver.answer(200)
    await scene.ask(ana, 'POST', `/${id}/resume`)
    await scene.ask(ana, 'POST', `/${id}/repeat`, { eventId: null })
    await until(() => receiver.received.length === before + 2)
    expect(idsAt(receiver).slice(before)).toEqual(ids)
    expect(idsAt(receiver)).not.toContain(missed)
    await until(async () => (await scene.calls(ana, id, '?status=delivered')).length === 2)
  })

  it('that takes some goes on after one was given up', async () => {
    const { id } = await scene.add(ana, receiver.url)
    const bad = await scene.receive(ana, 'maria')
    receiver.answerEach((one) => (one.id === bad ? 422 : 200))
    await scene.run()
    let count = 0
    await until(async () => {
      scene.advance(2 * hourMs)
      await scene.receive(ana, `contact ${count++}`)
      return (await scene.calls(ana, id, '?status=failed')).length === 1
    })
    await until(async () => (await scene.calls(ana, id, '?status=waiting')).length === 0)
    expect(await disabledCauses()).toEqual([])
    await scene.ask(ana, 'POST', `/${id}/repeat`, { eventId: bad })
    await until(async () => (await scene.calls(ana, id, '?status=waiting')).some(({ eventId }) => eventId === bad))
  })

  it('is disabled at once where it says that it is gone', async () => {
    receiver.answer(410)
    await scene.add(ana, receiver.url)
    await scene.receive(ana, 'maria')
    await scene.run()
    await until(async () => (await disabledCauses()).length === 1)
    expect(await disabledCauses()).toEqual(['gone'])
  })

  it('is disabled where more waits than is kept', async () => {
    receiver.answer(500)
    const { id } = await scene.add(ana, receiver.url)
    await scene.run({ maxWaiting: 100 })
    for (let count = 0; count < 120; count++) await scene.receive(ana, 'maria')
    await until(async () => (await disabledCauses()).length === 1)
    expect(await disabledCauses()).toEqual(['backlog'])
    await until(async () => (await scene.calls(ana, id, '?status=waiting')).length === 0)
  })

  it('keeps what happens while it is paused, and sends it then', async () => {
    const { id } = await scene.add(ana, receiver.url)
    await scene.ask(ana, 'POST', `/${id}/pause`)
    await scene.run()
    const ids = [await scene.receive(ana, 'maria'), await scene.receive(ana, 'maria')]
    await until(async () => (await scene.calls(ana, id, '?status=waiting')).length === 2)
    await scene.ask(ana, 'POST', `/${id}/test`)
    await until(() => receiver.received.length === 1)
    expect(receiver.received[0]?.event.type).toBe('prosa.webhooks.test.v1')
    await scene.ask(ana, 'POST', `/${id}/resume`)
    await until(() => receiver.received.length === 3)
    expect(idsAt(receiver).slice(1)).toEqual(ids)
  })

  it('is tested once, and tells how it went', async () => {
    receiver.answer(404)
    const { id, secret } = await scene.add(ana, receiver.url)
    await scene.run()
    await scene.ask(ana, 'POST', `/${id}/test`)
    const call = await until(async () => (await scene.calls(ana, id, '?status=failed'))[0])
    expect(call).toMatchObject({ type: 'prosa.webhooks.test.v1', attempts: [{ status: 404, failure: 'status' }] })
    expect(receiver.received.map((one) => isSignedWith(secret, one))).toEqual([true])
  })

  it('gets what waits by its new address, and with both secrets for a day after a change', async () => {
    receiver.answer(500)
    const { id, secret } = await scene.add(ana, receiver.url)
    await scene.receive(ana, 'maria')
    await scene.run()
    await until(() => receiver.received.length === 1)
    const moved = await anotherReceiver()
    const settings = { name: 'Outra', address: moved.url, types: [receivedType, resolvedType] }
    expect((await scene.ask(ana, 'PUT', `/${id}`, settings)).status).toBe(200)
    const { body: next } = await scene.ask(ana, 'POST', `/${id}/secret`)
    scene.advance(10_000)
    const first = await until(() => moved.received[0])
    expect([secret, next.secret].map((each) => isSignedWith(each, first))).toEqual([true, true])
    scene.advance(25 * hourMs)
    await scene.receive(ana, 'pedro')
    const later = await until(() => moved.received[1])
    expect([secret, next.secret].map((each) => isSignedWith(each, later))).toEqual([false, true])
  })

  it('follows no redirect, and reads no endless answer', async () => {
    const { id } = await scene.add(ana, receiver.url)
    const inner = await anotherReceiver()
    receiver.answer((response) => void response.writeHead(307, { location: inner.url }).end())
    await scene.receive(ana, 'maria')
    await scene.run()
    await until(async () => (await scene.calls(ana, id))[0]?.attempts[0]?.failure === 'redirect')
    expect(inner.received).toEqual([])
    receiver.answer((response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write(Buffer.alloc(64 * 1024)), 1)
      response.on('close', () => clearInterval(timer))
    })
    scene.advance(5000)
    await until(async () => (await scene.calls(ana, id))[0]?.status === 'delivered')
  })

  it('whose name leads to a private address gets nothing', async () => {
    const { id } = await scene.add(ana, 'https://rebinding.example.com/prosa')
    await scene.receive(ana, 'maria')
    await scene.run({ reach: 'public', resolve: async () => ['169.254.169.254'] })
    await until(async () => (await scene.calls(ana, id))[0]?.attempts[0]?.failure === 'not_allowed')
  })

  it('gets what was erased meanwhile without it, and nothing of an erased account', async () => {
    receiver.answer(500)
    const { id } = await scene.add(ana, receiver.url, { withPersonal: true })
    await scene.receive(ana, 'maria', 'SEGREDO')
    await scene.run()
    await until(async () => (await scene.calls(ana, id))[0]?.attemptCount === 1)
    expect(receiver.received[0]?.body).toContain('SEGREDO')
    await scene.ports.subjectKeys.erase([contactSubject(contactOf('maria'))])
    receiver.answer(200)
    scene.advance(5000)
    const again = await until(() => receiver.received[1])
    expect(again.body).not.toContain('SEGREDO')
    expect(again.event.data).toMatchObject({ kind: 'erased' })

    await scene.append(ana, `user-${ana}`, { type: 'UserErased', data: {} })
    const [event] = await scene.everyEvent('user')
    for (const _ of ['once', 'twice']) for (const { on } of scene.reactors) await on.UserErased?.(event as never)
    await scene.ports.subjectKeys.erase([webhookSubject(ana)])
    await scene.receive(ana, 'maria')
    await until(async () => (await scene.ports.pool.query('select from webhook_call')).rowCount === 0)
    expect(receiver.received).toHaveLength(2)
    expect((await scene.webhookEvents()).filter(({ type }) => type === 'WebhookRemoved')).toHaveLength(1)
  })

  it('leaves nothing when it is removed, and its log goes after 30 days', async () => {
    const { id } = await scene.add(ana, receiver.url)
    await scene.receive(ana, 'maria')
    const first = await scene.run()
    await until(async () => (await scene.calls(ana, id))[0]?.status === 'delivered')
    await first.stop()
    scene.advance(31 * 24 * hourMs)
    await scene.receive(ana, 'maria')
    await scene.run()
    await until(() => receiver.received.length === 2)
    expect(await scene.calls(ana, id)).toHaveLength(1)
    await scene.ask(ana, 'DELETE', `/${id}`)
    await until(async () => (await scene.ports.pool.query('select from webhook_call')).rowCount === 0)
    expect((await scene.ask(ana, 'GET', `/${id}/calls`)).status).toBe(404)
  })
})

describe('the process that sends', () => {
  it('is one of all, and another takes over', async () => {
    await scene.add(ana, receiver.url)
    const ids: string[] = []
    const more = async (count: number) => {
      for (let each = 0; each < count; each++) ids.push(await scene.receive(ana, `contact ${each % 3}`))
      await until(() => receiver.received.length >= ids.length)
    }
    const first = await scene.run()
    await more(10)
    const second = await scene.run()
    await more(10)
    await first.stop()
    await more(10)
    expect(second.health?.()).toEqual({})
    expect([...idsAt(receiver)].sort()).toEqual([...ids].sort())
  })

  it('queues and sends nothing twice where its checkpoint is lost', async () => {
    await scene.add(ana, receiver.url)
    const first = await scene.run()
    for (let count = 0; count < 30; count++) await scene.receive(ana, `contact ${count % 3}`)
    await until(() => receiver.received.length === 30)
    await first.stop()
    await removeCheckpoint(scene.ports.pool, 'webhooks webhook-calls')
    await scene.run()
    await scene.receive(ana, 'maria')
    await until(() => receiver.received.length > 30)
    expect(receiver.received).toHaveLength(31)
  })
})

describe('the routes', () => {
  const settings = (address: string, types = [receivedType]) => ({ name: 'Planilha', address, types })

  it('refuse addresses that nobody should be sent to', async () => {
    const strict = await webhookScene({ reach: 'public' })
    try {
      for (const [address, refusal] of [
        ['exemplo', 'webhook_address_unreadable'],
        ['javascript:alert(1)', 'webhook_address_unreadable'],
        ['https://ana:senha@example.com', 'webhook_address_has_password'],
        ['http://example.com', 'webhook_address_not_https'],
        ['https://127.0.0.1', 'webhook_address_private'],
        ['https://localhost:3000', 'webhook_address_private'],
        ['https://10.0.0.1/', 'webhook_address_private'],
        ['https://[fd00::1]/', 'webhook_address_private'],
        ['https://169.254.169.254/latest', 'webhook_address_private'],
      ] as const)
        expect([address, (await strict.ask(ana, 'POST', '', settings(address))).body.type]).toEqual([address, refusal])
      expect((await strict.ask(ana, 'POST', '', settings('https://example.com', ['prosa.nada.v1']))).body.type).toBe(
        'stream_type_unknown',
      )
      expect((await strict.ask(ana, 'POST', '', settings('https://example.com', []))).status).toBe(422)
    } finally {
      await strict.stop()
    }
  })

  it('show another tenant nothing, and take nothing from one', async () => {
    const { id } = await scene.add(ana, receiver.url)
    const eventId = deriveId('test', 'event')
    for (const [method, path, body] of [
      ['PUT', `/${id}`, settings('https://example.com')],
      ['DELETE', `/${id}`, undefined],
      ['GET', `/${id}/calls`, undefined],
      ['POST', `/${id}/secret`, undefined],
      ['POST', `/${id}/pause`, undefined],
      ['POST', `/${id}/resume`, undefined],
      ['POST', `/${id}/test`, undefined],
      ['POST', `/${id}/repeat`, { eventId: null }],
    ] as const)
      expect([path, (await scene.ask(bia, method, path, body)).status]).toEqual([path, 404])
    expect((await scene.ask(ana, 'POST', `/${id}/repeat`, { eventId })).body.type).toBe('webhook_call_not_found')
  })

  it('show calls in pages, the newest first', async () => {
    const { id } = await scene.add(ana, receiver.url)
    await scene.run()
    const ids: string[] = []
    for (let count = 0; count < 60; count++) ids.push(await scene.receive(ana, 'maria'))
    await until(async () => (await scene.calls(ana, id, '?status=delivered'))[0]?.eventId === ids.at(-1))
    const first = await scene.calls(ana, id)
    const rest = await scene.calls(ana, id, `?before=${first.at(-1)?.eventId}`)
    expect([...first, ...rest].map(({ eventId }) => eventId)).toEqual([...ids].reverse())
  })
})

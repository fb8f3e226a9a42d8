import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { starterFlow } from '@prosa/contracts/flows/new-node'
import { systemClock } from '@prosa/kernel/clock'
import { type Host, host } from '@prosa/kernel/host'
import { createLog } from '@prosa/kernel/observability/log'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { memoryEntitlements } from '@prosa/product/entitlements/memory'
import { noPlanRules } from '@prosa/product/entitlements/plan-rules'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { automation } from '../automation.ts'
import { findLink } from './queries.ts'

const entitlements = memoryEntitlements(systemClock, { ...noPlanRules, afterEnd: 'ended' })
const administrator = randomUUID()

const logged: string[] = []

let ports: TestPorts
let running: Host
beforeAll(async () => {
  ports = await testPorts({
    migrations: [...(automation.migrations ? [automation.migrations] : [])],
    entitlements,
    log: createLog('trace', { write: (line) => void logged.push(line) }),
    roles: { of: async (userId) => (userId === administrator ? ['admin'] : []) },
  })
  running = await host([automation], ports, { hostname: '127.0.0.1', port: 0, trustedOrigins: [], limitScale: 100 })
})
afterAll(async () => {
  await running.stop()
  await ports.close()
})

let tenant = ''
beforeAll(async () => {
  tenant = await account()
  await record(`subscription-${tenant}`, paid('order-1'))
})

const until2027 = { until: '2027-01-01T00:00:00.000Z', endsAt: '2027-01-01T00:00:00.000Z' }
const paid = (orderId: string): AnyEvent => ({
  type: 'AccessGranted',
  data: { orderId, subscriptionId: null, productId: null, status: 'active', ...until2027 },
})

const account = async () => {
  const id = randomUUID()
  await record(`subscription-${id}`, { type: 'TrialStarted', data: { endsAt: until2027.endsAt } }, id)
  return id
}

const record = async (stream: string, event: AnyEvent, of = tenant) => {
  let revision: bigint | 'no_stream' = 'no_stream'
  for await (const page of ports.store.read(stream)) revision = page.at(-1)?.revision ?? revision
  const metadata = {
    ...{ causationId: 'test', correlationId: 'test', tenant: of, recordedAt: ports.clock.now() },
    actor: { kind: 'system', id: 'test' } as const,
  }
  const encoded = await ports.codec.encode([{ id: randomUUID(), stream, event, metadata }])
  const appended = await ports.store.append(stream, revision, encoded)
  if (!appended.ok) throw new Error('not appended')
}

const sent = async (url = 'https://padaria.example/menu?dia=hoje', of = tenant) => {
  const [contactId, token] = [randomUUID(), randomUUID().replaceAll('-', '').slice(0, 20)]
  const step = { runId: randomUUID(), flowId: randomUUID(), version: 1, step: 2, nodeId: 'n1' }
  const document = starterFlow()
  const about = { name: 'Cardápio', folderId: null, document, origin: 'new' } as const
  await record(`flow-${step.flowId}`, { type: 'FlowCreated', data: about }, of)
  await record(`flow-${step.flowId}`, { type: 'FlowPublished', data: { version: 1, document } }, of)
  const requested: AnyEvent = {
    type: 'FlowMessageRequested',
    data: {
      ...{ ...step, messageId: `3EB0${token.toUpperCase()}`, connectionId: randomUUID(), typingSeconds: 0 },
      content: { kind: 'text', text: url },
      links: [
        { token: `${token}x`, url: 'https://outra.example/' },
        { token, url },
      ],
    },
  }
  await record(`flowRun-${contactId}`, requested, of)
  await until(() => findLink(ports.pool, token))
  const opened = async () =>
    (await everythingIn(ports.store, 'flowRun')).filter(
      ({ type, stream }) => type === 'FlowLinkOpened' && stream === `flowRun-${contactId}`,
    )
  return { contactId, token, step, opened }
}

const open = (token: string, userAgent = 'Mozilla/5.0 (Linux; Android 15)', method: 'GET' | 'HEAD' = 'GET') =>
  running.app.inject({ method, url: `/r/${token}`, headers: { 'user-agent': userAgent } })

describe('a link of a flow', () => {
  it('leads where the flow’s message did, and its opening counts once for each token', async () => {
    const { token, step, opened } = await sent()
    const replies = await Promise.all([open(token), open(token)])
    replies.push(await open(token))
    expect(replies.map(({ statusCode, headers }) => [statusCode, headers.location])).toEqual(
      Array.from({ length: 3 }, () => [302, 'https://padaria.example/menu?dia=hoje']),
    )
    const { runId, flowId, version, nodeId } = step
    expect(await opened()).toMatchObject([
      { data: { runId, flowId, version, nodeId, token }, metadata: { tenant, actor: { kind: 'system' } } },
    ])
    await open(`${token}x`)
    expect(await opened()).toHaveLength(2)
  })

  it('is not counted when a program looks at it to show a preview', async () => {
    const { token, opened } = await sent()
    const seen = [
      await open(token, 'WhatsApp/2.24.10 A'),
      await open(token, 'facebookexternalhit/1.1'),
      await open(token, undefined, 'HEAD'),
    ]
    expect(seen.map(({ statusCode }) => statusCode)).toEqual([302, 302, 302])
    expect(await opened()).toEqual([])
  })

  it.each(['javascript:alert(1)', 'data:text/html,oi', 'ftp://padaria.example/', 'nada'])(
    'leads nowhere but to the web: %s',
    async (url) => {
      const { token, opened } = await sent(url)
      const { statusCode, headers } = await open(token)
      expect([statusCode, headers.location, await opened()]).toEqual([404, undefined, []])
    },
  )

  it.each([randomUUID(), 'curto', '%00', '..%2f..', 'a'.repeat(90)])(
    'that nobody sent is a friendly page: %s',
    async (token) => {
      const { statusCode, headers, body } = await open(token)
      expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(body).toContain('Este link não leva mais a lugar nenhum')
    },
  )

  it('ends with its contact', async () => {
    const { contactId, token } = await sent()
    await record(`contact-${contactId}`, { type: 'ContactErased', data: {} })
    await until(async () => (await open(token)).statusCode === 404)
  })
})

const told = async (token: string) => {
  const { statusCode, headers, body } = await open(token)
  return { statusCode, headers, body, title: /<h1>(.*?)<\/h1>/s.exec(body)?.[1] }
}
const isCalm = ({ headers, body }: Awaited<ReturnType<typeof told>>) => {
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-type': 'text/html; charset=utf-8',
  })
  expect(headers['content-security-policy']).toMatch(/default-src 'none'.*style-src 'self' 'sha256-/)
  expect(headers.location).toBeUndefined()
  expect(body).not.toMatch(/<script|http-equiv|\son\w+=|src=/i)
}

describe('the end of a link', () => {
  it('is that of its flow: deleting it ends the link, turning it off or publishing another version does not', async () => {
    const { token, step, opened } = await sent()
    const flow = `flow-${step.flowId}`
    await record(flow, { type: 'FlowTurnedOff', data: {} })
    expect((await open(token)).statusCode).toBe(302)
    await record(flow, { type: 'FlowPublished', data: { version: 2, document: starterFlow() } })
    expect((await open(token)).statusCode).toBe(302)
    await record(flow, { type: 'FlowDeleted', data: {} })
    const ended = await told(token)
    expect([ended.statusCode, ended.title]).toEqual([410, 'Este link não vale mais'])
    isCalm(ended)
    expect(await opened()).toHaveLength(1)
  })

  it('is that of the access of its account, until that is paid for again; and of the account', async () => {
    const of = await account()
    await record(`subscription-${of}`, paid('order-2'), of)
    const { token } = await sent(undefined, of)
    expect((await open(token)).statusCode).toBe(302)
    entitlements.change(of, { endsAt: '2026-01-01T00:00:00.000Z' })
    const ended = await told(token)
    expect([ended.statusCode, ended.title]).toEqual([410, 'Este link não vale mais'])
    isCalm(ended)
    entitlements.change(of, { endsAt: '2030-01-01T00:00:00.000Z' })
    expect((await open(token)).statusCode).toBe(302)
    await record(`user-${of}`, { type: 'UserErased', data: {} }, of)
    await until(async () => (await open(token)).statusCode === 404)
  })

  it('leaves nothing of where it led, nor of the link, in the logs', async () => {
    const { token, step } = await sent('https://padaria.example/segredo')
    await open(token)
    await record(`flow-${step.flowId}`, { type: 'FlowDeleted', data: {} })
    await open(token)
    await open('0'.repeat(20))
    const all = logged.join('')
    expect([all.includes('segredo'), all.includes(token), all.includes('0'.repeat(20))]).toEqual([false, false, false])
  })
})

describe('a link that an administrator blocks', () => {
  const asked = async (userId: string | undefined, method: 'GET' | 'POST', path: string, payload?: object) => {
    const session = userId && (await ports.browserSessions.issue(userId))
    return running.app.inject({
      method,
      url: `/api/admin/flow-links/${path}`,
      ...(payload && { payload }),
      headers: session ? { cookie: `__Host-prosa=${session.token}` } : {},
    })
  }
  const reason = { reason: 'Página que imita um banco' }

  it('leads nowhere at once, and leads on once it is unblocked; both with a reason, in the history of the flow and its account', async () => {
    const { token, step, opened } = await sent()
    expect((await open(token)).statusCode).toBe(302)
    const blocked = await asked(administrator, 'POST', `${token}/block`, reason)
    const shown = { token, url: 'https://padaria.example/menu?dia=hoje', userId: tenant, flowId: step.flowId }
    expect([blocked.statusCode, blocked.json()]).toEqual([200, { ...shown, isBlocked: true, isEnded: false }])
    const ended = await told(token)
    expect([ended.statusCode, ended.title]).toEqual([410, 'Este link foi bloqueado'])
    isCalm(ended)
    expect((await open(`${token}x`)).statusCode).toBe(302)
    expect((await asked(administrator, 'POST', `${token}/unblock`, reason)).json()).toMatchObject({ isBlocked: false })
    expect((await open(token)).statusCode).toBe(302)
    expect((await opened()).length).toBe(2)
    const decisions = (await everythingIn(ports.store, 'flow')).filter(({ type }) => type.startsWith('FlowLink'))
    expect(decisions).toMatchObject(
      ['FlowLinkBlocked', 'FlowLinkUnblocked'].map((type) => ({
        ...{ type, stream: `flow-${step.flowId}`, data: { token } },
        metadata: { tenant, actor: { kind: 'admin', id: administrator } },
      })),
    )
    const [first] = await ports.codec.decode(decisions)
    expect(first?.metadata.reason).toBe(reason.reason)
  })

  it('is blocked once, however often it is asked for, and without a reason not at all', async () => {
    const { token, step } = await sent()
    for (let time = 0; time < 3; time++)
      expect((await asked(administrator, 'POST', `${token}/block`, reason)).statusCode).toBe(200)
    expect((await asked(administrator, 'POST', `${token}/unblock`, { reason: ' ' })).statusCode).toBe(422)
    const events = await everythingIn(ports.store, 'flow')
    expect(
      events.filter(({ type, stream }) => type === 'FlowLinkBlocked' && stream === `flow-${step.flowId}`),
    ).toHaveLength(1)
  })

  it('is nobody else’s decision: visitors, its own account, and another one', async () => {
    const { token } = await sent()
    const stranger = randomUUID()
    for (const userId of [tenant, stranger])
      for (const path of [`${token}/block`, `${token}/unblock`])
        expect((await asked(userId, 'POST', path, reason)).statusCode).toBe(403)
    expect((await asked(tenant, 'GET', token)).statusCode).toBe(403)
    expect((await asked(undefined, 'GET', token)).statusCode).toBe(401)
    expect((await asked(undefined, 'POST', `${token}/block`, reason)).statusCode).toBe(401)
    expect((await open(token)).statusCode).toBe(302)
  })

  it('is found by its token alone, and one that nobody sent is not', async () => {
    const { token, step } = await sent()
    expect((await asked(administrator, 'GET', token)).json()).toMatchObject({ flowId: step.flowId, isEnded: false })
    await record(`flow-${step.flowId}`, { type: 'FlowDeleted', data: {} })
    expect((await asked(administrator, 'GET', token)).json()).toMatchObject({ isEnded: true })
    expect((await asked(administrator, 'POST', `${token}/block`, reason)).statusCode).toBe(404)
    expect((await asked(administrator, 'GET', randomUUID())).json().type).toBe('flow_link_not_found')
    expect((await asked(administrator, 'GET', 'curto')).statusCode).toBe(422)
  })
})

describe('a link of an account that nobody answers for', () => {
  const named = async (url: string, of?: string) => {
    const { token, opened } = await sent(url, of ?? (await account()))
    return { ...(await told(token)), token, opened }
  }

  it('shows where it leads first, with a plain way on, and counts as opened', async () => {
    const page = await named('https://padaria.example/menu?dia=hoje&mesa=2')
    expect([page.statusCode, page.title]).toEqual([200, 'Este link leva a <strong>padaria.example</strong>'])
    expect(page.body).toContain('<p class="address" tabindex="0">https://padaria.example/menu?dia=hoje&amp;mesa=2</p>')
    expect(page.body).toContain(
      '<a class="go" href="https://padaria.example/menu?dia=hoje&amp;mesa=2" rel="noopener noreferrer nofollow">Continuar</a>',
    )
    isCalm(page)
    await open(page.token)
    expect(await page.opened()).toHaveLength(1)
    const previewed = await sent(undefined, await account())
    expect((await open(previewed.token, 'WhatsApp/2.24.10 A')).statusCode).toBe(200)
    expect(await previewed.opened()).toEqual([])
  })

  it('shows no mark of the address as its own: neither tags, nor quotes, nor what a browser would run', async () => {
    const page = await named(
      `https://padaria.example/"><script>alert(1)</script>/o'o?a='onclick=x&b="#"><img onerror=x`,
    )
    const [, shown = '', href = ''] =
      /<p class="address" tabindex="0">(.*?)<\/p>\s*<a class="go" href="(.*?)" rel="noopener/s.exec(page.body) ?? []
    expect(shown).toContain('alert(1)')
    expect(href).toBe(shown)
    expect(shown).not.toMatch(/[<>"']/)
    expect(page.body).not.toMatch(/<script|<img/)
    isCalm(page)
  })

  it('shows letters of other alphabets as browsers know them, and what they look like', async () => {
    const page = await named('https://раураl.example/entrar')
    expect(page.title).toMatch(/<strong>xn--[\w-]+\.example<\/strong>/)
    expect(page.body).toContain('aparece como “раураl.example”')
    const plain = await named('https://paypal.example/')
    expect(plain.body).not.toContain('class="warning"')
  })

  it('shows the host that counts where a name stands before it', async () => {
    const page = await named('https://www.banco.example@evil.example:8443/a')
    expect(page.title).toBe('Este link leva a <strong>evil.example:8443</strong>')
    expect(page.body).toContain('ele é só “evil.example”')
  })

  it('leads there at once where somebody paid, or an administrator gave it time; and no more where that was taken back', async () => {
    const given: AnyEvent = {
      type: 'AccessSet',
      data: {
        ...{ decision: 'extended', before: { endsAt: null, status: 'active' } },
        ...{ endsAt: until2027.endsAt, status: 'active' },
      },
    }
    const refunded: AnyEvent = {
      type: 'AccessRevoked',
      data: { orderId: 'order-1', cause: 'refund', endsAt: null, status: 'expired' },
    }
    const removed: AnyEvent = {
      type: 'AccessSet',
      data: {
        ...{ decision: 'removed', before: { endsAt: null, status: 'active' } },
        ...{ endsAt: until2027.endsAt, status: 'expired' },
      },
    }
    for (const [facts, expected] of [
      [[paid('order-1')], 302],
      [[given], 302],
      [[paid('order-1'), refunded], 200],
      [[given, removed], 200],
    ] as const) {
      const of = await account()
      for (const fact of facts) await record(`subscription-${of}`, fact, of)
      expect((await open((await sent(undefined, of)).token)).statusCode).toBe(expected)
    }
  })

  it('is another account’s business in nothing', async () => {
    const of = await account()
    const { token } = await sent(undefined, of)
    expect((await open(token)).statusCode).toBe(200)
    const mine = await sent()
    expect((await open(mine.token)).statusCode).toBe(302)
  })
})

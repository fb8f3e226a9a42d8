import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { User } from '@prosa/contracts/http/accounts/auth'
import type { Message } from '@prosa/contracts/http/live-chat'
import { freePort } from '@prosa/kernel/free-port'
import { testPostgres } from '@prosa/kernel/postgres/testing'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { expect, it } from 'vitest'
import { installedCaddy } from '../src/cluster/caddy.ts'
import { keywordFlow } from './keyword-flow.ts'
import { isReady, startMain, startServiceProcesses } from './service-processes.ts'
import { type StartedName, startTokenGateway } from './token-gateway.ts'
import { Visitor } from './visitor.ts'

const statusOf = (messages: Message[], id: string) => messages.find((message) => message.id === id)?.status

/** Consumers start before producers, the first on an empty database. */
const backwards: StartedName[] = [
  'streams',
  'realtime',
  'sessions',
  'automation',
  'contacts',
  'billing',
  'identity',
  'projections',
]

const caddy = await installedCaddy()
const signedInBy = caddy
  ? `tokens behind Caddy ${caddy.version}`
  : 'cookies behind the local router: no Caddy is installed'

it(`walks a message through every service, each started alone in a process of its own (${signedInBy})`, async () => {
  const database = await testPostgres()
  const whatsapp = new SandboxServer({ fewPreKeys: true })
  await whatsapp.start()
  const services = caddy
    ? await startTokenGateway(caddy, database.url, whatsapp.url, backwards)
    : await startServiceProcesses(backwards, database.url, whatsapp.url)
  try {
    expect(new Set(services.pids).size).toBe(backwards.length)
    const marina = await new Visitor(services.url).register()
    const user = await until(async () => {
      const found = await marina.get<User>('/api/auth/user')
      return found.subscriptionStatus === 'active' && found
    })
    expect(user.firstName).toBe('Marina')

    const shop = whatsapp.addPhone('5511900000001', 'Padaria Sol')
    const ana = whatsapp.addPhone('5511988776655', 'Ana')
    const connection = await marina.link(shop, 'Padaria')
    const socket = marina.socket()
    await until(() => socket.connected)
    const pushed = new Promise<{ contactId: string }>((resolve) => socket.once('whatsapp:new_message', resolve))
    await ana.sendText('5511900000001', 'Olá, vocês abrem domingo?')
    const { contactId } = await pushed
    expect(await marina.messages(contactId)).toMatchObject([{ content: 'Olá, vocês abrem domingo?' }])
    expect(await marina.contacts('waiting')).toMatchObject([{ id: contactId, name: 'Ana', unreadCount: 1 }])
    const accepted = await marina.ask('PATCH', `/api/whatsapp/contacts/${contactId}/status`, { status: 'attending' })
    expect(accepted.status).toBe(200)

    const received = ana.nextMessage((message) => message.text === 'Abrimos das 7h às 13h.')
    const { id } = await marina.send(connection.id, contactId, 'Abrimos das 7h às 13h.')
    expect((await received).id).toBe(id)
    ana.markRead(await received)
    await until(async () => statusOf(await marina.messages(contactId), id) === 'read')

    const flow = await marina.post<{ id: string }>('/api/flows', {
      name: 'Cardápio',
      document: keywordFlow('cardápio', 'Hoje: pão de queijo.'),
    })
    await marina.post(`/api/flows/${flow.id}/publish`, { basedOn: 0 })
    const bia = whatsapp.addPhone('5511977665544', 'Bia')
    const answered = bia.nextMessage((message) => message.text === 'Hoje: pão de queijo.')
    await bia.sendText('5511900000001', 'cardápio')
    await answered
    socket.close()
    const ended = caddy ? [...backwards, 'caddy'] : backwards
    expect(await services.stop()).toEqual(Object.fromEntries(ended.map((name) => [name, 0])))
  } finally {
    await services.remove()
    await whatsapp.stop()
    await database.drop()
  }
}, 240_000)

it('asks for the database and the secret that a service alone shares with the others', async () => {
  const child = await startMain('contacts', { PROSA_SECRET: 'ab'.repeat(32), PROSA_PORT: '0' })
  const [stderr, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'exit')])
  expect(stderr.trim()).toBe(
    'One service alone shares database and secret with the others: set DATABASE_URL and PROSA_SECRET.',
  )
  expect(code).toBe(1)
}, 60_000)

/** `npm test` starts only the largest: the `main.ts` are alike, and the walk covers all eight. */
const alone: StartedName[] = shortOrLong(0, 1) === 1 ? backwards : ['sessions', 'projections']

it.each(alone)(
  'starts %s alone in production, and ends it in order',
  async (name) => {
    const database = await testPostgres()
    const port = await freePort()
    const child = await startMain(name, {
      DATABASE_URL: database.url,
      PROSA_SECRET: 'ab'.repeat(32),
      PROSA_PORT: String(port),
      LOG_LEVEL: 'fatal',
    })
    try {
      const ended = once(child, 'exit')
      await until(() => isReady(port))
      child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    } finally {
      child.kill('SIGKILL')
      await database.drop()
    }
  },
  60_000,
)

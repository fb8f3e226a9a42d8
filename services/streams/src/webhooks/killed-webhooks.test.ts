import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '@prosa/kernel/clock'
import { deriveId } from '@prosa/kernel/derive-id'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { masterKeys } from '@prosa/kernel/privacy/master-keys'
import { subjectKeys } from '@prosa/kernel/privacy/subject-keys'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { expect, it } from 'vitest'
import { webhookMigrations } from '../migrations/webhook-migrations.ts'
import { contactLog } from '../testing/contact-log.ts'
import { startReceiver } from './testing/receiver.ts'
import { webhookHandler } from './webhook-handler.ts'
import { webhookSecrets } from './webhook-secrets.ts'

const rounds = shortOrLong(4, 200)
const people = Array.from({ length: 8 }, (_, index) => `person${index}`)
/** Of `contactLog`. */
const tenant = 'tenant'
const acceptedType = 'prosa.contacts.conversation-accepted.v1'

const firsts = <T>(all: readonly T[]) => [...new Set(all)]

it(
  'is sent at least once, recorded once, and in order, wherever the process is killed',
  async () => {
    const master = randomBytes(32)
    const database = await kernelDatabase(webhookMigrations)
    const store = await postgresEventStore({ url: database.url })
    const stopping = new AbortController()
    const receiver = await startReceiver()
    const keys = subjectKeys({
      ...{ pool: database.pool, databaseUrl: database.url, masters: masterKeys(master), signal: stopping.signal },
    })
    const webhookId = deriveId('test', 'webhook')
    const secretId = deriveId('test', 'secret')
    await webhookSecrets(keys).shown(tenant, webhookId, secretId)
    const handle = webhookHandler({ store, codec: eventCodec(), clock: systemClock })
    const data = { webhookId, secretId, name: 'w', address: receiver.url, types: [acceptedType], withPersonal: true }
    const context = { commandId: webhookId, actor: { kind: 'user', id: tenant } as const, tenant }
    const added = await handle(
      tenant,
      { type: 'AddWebhook', data },
      { ...context, causationId: 'c', correlationId: 'c' },
    )
    expect(added.ok).toBe(true)
    const log = contactLog(store)
    const program = await builtProgram(join(import.meta.dirname, '../testing/webhook-process.ts'))
    const start = () => {
      const child = spawn(process.execPath, [program, database.url, master.toString('hex')], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const ended = once(child, 'exit')
      return async () => {
        child.kill('SIGKILL')
        await ended
      }
    }
    let isOver = false
    const load = (async () => {
      while (!isOver) {
        await Promise.all(people.map(log.accept))
        await delay(20)
      }
    })()
    let kill = start()
    try {
      for (let round = 0; round < rounds; round++) {
        const before = receiver.received.length
        await until(() => receiver.received.length > before, 60_000)
        await delay(Math.random() * 300)
        await kill()
        kill = start()
      }
      isOver = true
      await load
      const events = await log.all()
      const countOf = async (where: string) =>
        Number((await database.pool.query(`select count(*) from webhook_call where ${where}`)).rows[0].count)
      await until(async () => (await countOf(`status = 'delivered'`)) >= events.length, 120_000)
      expect(await countOf('true')).toBe(events.length)
      for (const who of people) {
        const stored = events.filter(({ stream }) => stream === `contact-${who}`).map(({ id }) => id)
        const received = receiver.received.filter(({ event }) => event.subject === `contact-${who}`)
        expect(firsts(received.map(({ id }) => id))).toEqual(stored)
      }
      noteMeasurements('The sender of webhooks killed under load', {
        ...{ rounds, events: events.length, requests: receiver.received.length, lost: 0 },
        sentAgain: receiver.received.length - events.length,
      })
    } finally {
      isOver = true
      await load
      await kill()
      await receiver.close()
      stopping.abort()
      await store.close()
      await database.drop()
    }
  },
  60_000 + rounds * 20_000,
)

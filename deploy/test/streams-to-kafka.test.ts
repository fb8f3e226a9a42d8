import { cloudEventType, publicationOf } from '@prosa/contracts/published/published-of'
import { type TestPostgres, testPostgres } from '@prosa/kernel/postgres/testing'
import { until } from '@prosa/kernel/testing/until'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { noBroker, startBroker } from '@prosa/streams/testing/kafka-broker'
import { type ReadRecord, readTopic } from '@prosa/streams/testing/read-topic'
import { expect, it } from 'vitest'
import { productProcess } from './product-process.ts'
import { tracesOf } from './traces.ts'
import { Visitor } from './visitor.ts'

const prefix = `walk-${crypto.randomUUID().slice(0, 8)}`
const personal = ['5511988776655', '11988776655', 'Ana Clara', 'Vocês abrem domingo', 'Marina', 'marina@']

it.skipIf(noBroker)(
  `the whole product publishes two tenants' conversations to Kafka, without anything of a person${noBroker}`,
  async () => {
    const broker = await startBroker()
    const database: TestPostgres = await testPostgres()
    const whatsapp = new SandboxServer({ fewPreKeys: true })
    await whatsapp.start()
    const product = await productProcess(database.url, whatsapp.url, {
      env: { KAFKA_BROKERS: broker.brokers.join(','), KAFKA_TOPIC_PREFIX: prefix },
    })
    try {
      const ana = whatsapp.addPhone('5511988776655', 'Ana Clara')
      for (const number of ['5511900000001', '5511900000002']) {
        const shop = whatsapp.addPhone(number, 'Padaria Sol')
        const owner = await new Visitor(product.url).register()
        await owner.link(shop, 'Padaria')
        await ana.sendText(number, 'Vocês abrem domingo?')
        await until(async () => (await owner.contacts('waiting')).length === 1)
      }
      const type = cloudEventType('contacts', publicationOf('MessageReceived') ?? expect.fail('it is not published'))
      let records: ReadRecord[] = []
      await until(async () => {
        records = await readTopic(broker.brokers, `${prefix}.contacts.chat`).catch(() => [])
        return records.filter(({ headers }) => headers.ce_type === type).length === 2
      }, 60_000)
      expect(new Set(records.map(({ headers }) => headers.ce_id)).size).toBe(records.length)
      expect(new Set(records.map(({ headers }) => headers.ce_tenant)).size).toBe(2)
      const users = await readTopic(broker.brokers, `${prefix}.identity.user`)
      expect(users.length).toBeGreaterThanOrEqual(2)
      expect(tracesOf(personal, JSON.stringify([records, users]))).toEqual([])
    } finally {
      await product.kill()
      await product.remove()
      await whatsapp.stop()
      await database.drop()
      await broker.remove()
    }
  },
  180_000,
)

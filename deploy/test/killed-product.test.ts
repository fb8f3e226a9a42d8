import { setTimeout as delay } from 'node:timers/promises'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { testPostgres } from '@prosa/kernel/postgres/testing'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { expect, it } from 'vitest'
import { busyShop } from './busy-shop.ts'
import { productProcess } from './product-process.ts'
import { readModelsAgainstLog } from './read-models-against-log.ts'
import { Visitor } from './visitor.ts'

/** A short form, so that `npm test` stays short; PROSA_KILL_ROUNDS=20 for the figure in docs/performance.md. */
const rounds = Number(process.env.PROSA_KILL_ROUNDS ?? 8)

it(`loses and doubles nothing on either side when node is killed ${rounds} times while ten people write and are answered`, async () => {
  const database = await testPostgres()
  const network = new SandboxServer({ fewPreKeys: true })
  await network.start()
  const product = await productProcess(database.url, network.url)
  const store = await postgresEventStore({ url: database.url })
  try {
    const attendant = await new Visitor(product.url).register()
    const shop = network.addPhone('5511900000001', 'Padaria Sol')
    const people = Array.from({ length: 10 }, (_, index) =>
      network.addPhone(`55119880000${10 + index}`, `Pessoa ${index}`),
    )
    const { id } = await attendant.link(shop)
    const day = busyShop(network, '5511900000001', id, attendant, people)
    for (let round = 0; round < rounds; round++) {
      await delay(100 + Math.random() * 1000)
      await product.kill()
      await product.start()
    }
    const tally = await day.close(60_000)
    expect(tally).toMatchObject({ lostInbound: [], doubledInbound: [], lostOutbound: [], doubledOutbound: [] })
    expect(tally.answered).toBe(tally.written)
    expect(await readModelsAgainstLog(store, database.pool)).toEqual([])
  } finally {
    await product.kill()
    await store.close()
    await network.stop()
    await database.drop()
  }
}, 240_000)

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { silentLog } from '@prosa/kernel/log'
import { startEmbeddedPostgres } from '@prosa/kernel/postgres/embedded-postgres'
import { openPool } from '@prosa/kernel/postgres/pool'
import { openPrivacy } from '@prosa/kernel/privacy/open-privacy'
import { noteFigures, shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { expect, it } from 'vitest'
import { busyShop } from './busy-shop.ts'
import { productProcess } from './product-process.ts'
import { readModelsAgainstLog } from './read-models-against-log.ts'
import { Visitor } from './visitor.ts'

const rounds = shortOrLong(4, 200)
/** In the short form only node is killed; `event-store/postgres/faults.test.ts` kills PostgreSQL in both. */
const killsDatabase = shortOrLong(0, 1) === 1

/** A database that keeps what it acknowledged, as the product has it; the tests' own one does not flush to disk. */
const durableDatabase = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'prosa-killed-'))
  const server = await startEmbeddedPostgres({ dataDir })
  const pool = openPool(server.url)
  return {
    url: server.url,
    pool,
    kill: () => process.kill(server.pid, 'SIGKILL'),
    async remove() {
      await pool.end()
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const victim = killsDatabase ? 'node or the database' : 'node'
it(`loses and doubles nothing on either side when ${victim} is killed ${rounds} times while ten people write and are answered`, async () => {
  const database = await durableDatabase()
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
    const outages: number[] = []
    for (let round = 0; round < rounds; round++) {
      // An answer that arrives shows that everything has come back from the last kill; the next may come at any moment.
      const before = day.heard()
      await until(() => day.heard() > before, 60_000)
      await delay(Math.random() * 1000)
      const began = performance.now()
      if (round % 2 === 0 || !killsDatabase) {
        await product.kill()
        await product.start()
      } else {
        database.kill()
        await until(() => attendant.connections().then(Boolean, () => false), 60_000)
      }
      outages.push(performance.now() - began)
    }
    const tally = await day.close(60_000)
    const { written, answered, ...strays } = tally
    noteFigures(`${victim} killed, in the whole product`, {
      rounds,
      written,
      answered,
      ...Object.fromEntries(Object.entries(strays).map(([kind, texts]) => [kind, texts.length])),
      'longest until the product answers again, ms': Math.round(Math.max(...outages)),
    })
    expect(tally).toMatchObject({ lostInbound: [], doubledInbound: [], lostOutbound: [], doubledOutbound: [] })
    expect(tally.answered).toBe(tally.written)
    const { personal } = await openPrivacy({
      pool: database.pool,
      databaseUrl: database.url,
      masterSecret: Buffer.from(product.secret, 'hex'),
      log: silentLog(),
      signal: AbortSignal.abort(),
    })
    const log = { store, codec: eventCodec({ personal }) }
    expect(await readModelsAgainstLog(log, database.pool)).toEqual([])
  } finally {
    await product.kill()
    await store.close()
    await network.stop()
    await database.remove()
  }
}, 3_600_000)

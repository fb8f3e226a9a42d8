import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { silentLog } from '@prosa/kernel/observability/log'
import { openPrivacy } from '@prosa/kernel/privacy/open-privacy'
import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { expect, it } from 'vitest'
import { busyShop } from './busy-shop.ts'
import { durableDatabase } from './durable-database.ts'
import { productProcess } from './product-process.ts'
import { readModelsAgainstLog } from './read-models-against-log.ts'
import { summaryOf } from './recoveries.ts'
import { Visitor } from './visitor.ts'

const isLong = shortOrLong(0, 1) === 1
const rounds = Number(process.env.PROSA_ROUNDS) || shortOrLong(3, 100)
const crowd = shortOrLong(5, 20)
/** Long form: production's lease. */
const leaseMs = isLong ? undefined : 3000
const maxAwayMs = shortOrLong(500, 3000)

const random = <T>(choices: readonly T[]): T => {
  const chosen = choices[Math.floor(Math.random() * choices.length)]
  if (chosen === undefined) throw new Error('nothing to choose from')
  return chosen
}

/** In the short form only `event-store-faults.test.ts` kills PostgreSQL. */
const victims = isLong ? 'node, PostgreSQL, WhatsApp or the line' : 'node, WhatsApp or the line'
it(`loses and doubles nothing on either side, and no byte of a picture, when ${victims} is cut off ${rounds} times while ${crowd} people write and are answered`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-killed-'))
  // As root, data in a closed folder would be moved elsewhere and stay.
  await chmod(folder, 0o711)
  const database = await durableDatabase(folder)
  const network = new SandboxServer({ fewPreKeys: true })
  await network.start()
  const product = await productProcess(database.url, network.url, {
    filesDir: join(folder, 'files'),
    leaseMs,
  })
  const store = await postgresEventStore({ url: database.url })
  try {
    const attendant = await new Visitor(product.url).register()
    const shop = network.addPhone('5511900000001', 'Padaria Sol')
    const people = Array.from({ length: crowd }, (_, index) =>
      network.addPhone(`55119880000${10 + index}`, `Pessoa ${index}`),
    )
    const { id } = await attendant.link(shop)
    const day = busyShop('5511900000001', id, attendant, people)

    const faults: Record<string, () => Promise<void>> = {
      async 'node killed'() {
        await product.kill()
        await product.start()
      },
      'WhatsApp restarted': () => network.restart(Math.random() * maxAwayMs),
      async 'line dropped'() {
        for (const device of shop.companions()) network.dropConnection(device)
      },
      ...(isLong && {
        async 'PostgreSQL killed'() {
          database.kill()
        },
      }),
    }
    const kinds = Object.keys(faults)
    const recoveries = new Map<string, number[]>(kinds.map((kind) => [kind, []]))
    await until(() => day.answeredSince(0), 60_000)
    for (let round = 0; round < rounds; round++) {
      const kind = kinds[round] ?? random(kinds)
      await delay(Math.random() * 1000)
      const began = performance.now()
      await faults[kind]?.()
      await until(() => day.answeredSince(began), 120_000)
      const recovery = performance.now() - began
      recoveries.get(kind)?.push(recovery)
      if (isLong) console.log(`${round + 1} of ${rounds}: ${kind}, answered again after ${Math.round(recovery)} ms`)
    }
    const tally = await day.close(isLong ? 200_000 : 90_000)
    const { written, answered, pictures, ...strays } = tally
    noteMeasurements(`${victims} cut off, in the whole product`, {
      rounds,
      people: crowd,
      written,
      answered,
      'pictures, of both sides': pictures,
      ...Object.fromEntries(Object.entries(strays).map(([kind, texts]) => [kind, texts.length])),
      ...Object.fromEntries(
        [...recoveries].map(([kind, times]) => [`${kind}, until answered again, p50 / max ms`, summaryOf(times)]),
      ),
    })
    expect(strays).toEqual({
      lostInbound: [],
      doubledInbound: [],
      lostOutbound: [],
      doubledOutbound: [],
      spoiledPictures: [],
    })
    expect(answered).toBe(written)
    const { personal } = await openPrivacy({
      pool: database.pool,
      writePool: database.pool,
      databaseUrl: database.url,
      masterSecret: Buffer.from(product.secret, 'hex'),
      log: silentLog(),
      signal: AbortSignal.abort(),
    })
    const log = { store, codec: eventCodec({ personal }) }
    expect(await readModelsAgainstLog(log, database.pool)).toEqual([])
  } finally {
    await product.remove()
    await store.close()
    await network.stop()
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  }
}, 3_600_000)

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { loadCheckpoint } from '@prosa/kernel/consumers/engine/checkpoints'
import { foldOfLog, storedRows } from '@prosa/kernel/consumers/testing/fold-of-log'
import { idOf, testLog } from '@prosa/kernel/consumers/testing/test-log'
import { beginning } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { transaction } from '@prosa/kernel/postgres/pool'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { expect, it } from 'vitest'
import { contactList } from '../contact-list/projection.ts'
import { oneOfEach, streamOf } from '../testing/one-of-each-event.ts'

const program = fileURLToPath(new URL('../testing/projection-process.ts', import.meta.url))
const contacts = Array.from({ length: 20 }, (_, index) => idOf(`contact ${index}`))
const rounds = shortOrLong(2, 100)

it('rows and checkpoint stay one, wherever SIGKILL hits the process', { timeout: 1_800_000 }, async () => {
  const postgres = await kernelDatabase()
  const store = await postgresEventStore({ url: postgres.url })
  const { codec, append } = testLog(store)
  const { name, version, table } = contactList
  let end = beginning
  let messages = 0
  const write = async (contactId: string) => {
    for (const event of oneOfEach(`M${messages++}`)) {
      const position = await append(idOf('owner'), streamOf(contactId, event), event)
      if (position > end) end = position
    }
  }
  const standing = () => loadCheckpoint(postgres.pool, name, version)

  let cutShort = 0
  for (let round = 0; round < rounds; round++) {
    for (let time = 0; time < 4; time++) await Promise.all(contacts.map(write))
    const before = await standing()
    const child = spawn(process.execPath, [await builtProgram(program), postgres.url], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    await until(async () => (await standing()) > before)
    await delay(Math.random() * 50)
    child.kill('SIGKILL')
    await ended

    await transaction(postgres.pool, async (db) => {
      await db.query('set transaction isolation level repeatable read')
      const position = await loadCheckpoint(db, name, version)
      const rows = await storedRows(db, table)
      const all = await foldOfLog(contactList, { store, codec }, position)
      expect(rows).toEqual(all)
      if (position < end) cutShort++
    })
  }
  noteMeasurements('process of a projection killed', {
    rounds,
    'killed in the middle': cutShort,
    'differing from the fold': 0,
  })
  expect(cutShort).toBeGreaterThan(0)
  await store.close()
  await postgres.drop()
})

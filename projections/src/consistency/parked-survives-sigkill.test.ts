import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { loadCheckpoint } from '@prosa/kernel/consumers/engine/checkpoints'
import { prepareReadModel } from '@prosa/kernel/consumers/projections/prepare-read-model'
import { foldOfLog, storedRows } from '@prosa/kernel/consumers/testing/fold-of-log'
import { idOf, testLog } from '@prosa/kernel/consumers/testing/test-log'
import { beginning } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { transaction } from '@prosa/kernel/postgres/pool'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import type { Pool, PoolClient } from 'pg'
import { expect, it } from 'vitest'
import { contactList } from '../contact-list/projection.ts'
import { oneOfEach, streamOf } from '../testing/one-of-each-event.ts'

const program = fileURLToPath(new URL('../testing/projection-process.ts', import.meta.url))
const [healthy, poisoned] = [idOf('healthy'), idOf('poisoned')]
const contacts = Array.from({ length: 8 }, (_, index) => idOf(`contact ${index}`))
const rounds = shortOrLong(3, 100)

/** PostgreSQL refuses rows whose last message ends in two equal digits. */
const poison = `alter table contact_list add constraint poison
  check (owner <> '${poisoned}' or coalesce(last_message_line, '') !~ '([0-9])\\1$') not valid`
const mend = 'alter table contact_list drop constraint if exists poison'

const waitingPositions = async (db: Pool | PoolClient): Promise<Set<string>> => {
  const { rows } = await db.query<{ position: string }>('select position from parked_event')
  return new Set(rows.map(({ position }) => position))
}

it('each event of a parked tenant is in its rows or in its line, never in both or neither, wherever SIGKILL hits', {
  timeout: 1_800_000,
}, async () => {
  const postgres = await kernelDatabase()
  postgres.expectParkedTenants()
  const { pool, url } = postgres
  await prepareReadModel(pool, contactList)
  const store = await postgresEventStore({ url })
  const { codec, append } = testLog(store)
  const { name, version, table } = contactList
  let end = beginning
  let messages = 0
  const write = async (contactId: string, index: number) => {
    // Erasures are handled out of order.
    for (const event of oneOfEach(`M${messages++}`).filter(({ type }) => !type.endsWith('Erased'))) {
      // Its row would depend on the moment of parking.
      if (event.type === 'ContactMerged') event.data.absorbed = idOf(`contact ${index % 2 === 0 ? 2 : 1}`)
      const position = await append(index % 2 === 0 ? healthy : poisoned, streamOf(contactId, event), event)
      if (position > end) end = position
    }
  }
  const standing = () => loadCheckpoint(pool, name, version)
  const start = async () => spawn(process.execPath, [await builtProgram(program), url], { stdio: 'ignore' })

  const counts = { 'killed while a tenant was parked': 0, 'killed while it was retried': 0 }
  for (let round = 0; round < rounds; round++) {
    const isMended = round % 6 === 5
    await pool.query(isMended ? mend : `${mend}; ${poison}`)
    for (let time = 0; time < 2; time++) await Promise.all(contacts.map(write))
    const waited = (await waitingPositions(pool)).size
    const far = Math.ceil(Math.random() * (isMended ? waited : 100))
    const child = await start()
    const ended = once(child, 'exit')
    await until(async () => {
      const waiting = (await waitingPositions(pool)).size
      return Math.abs(waiting - waited) >= far || (await standing()) >= end
    })
    await delay(Math.random() * 30)
    child.kill('SIGKILL')
    await ended

    await transaction(pool, async (db) => {
      await db.query('set transaction isolation level repeatable read')
      const position = await loadCheckpoint(db, name, version)
      const waiting = await waitingPositions(db)
      const isFolded = (event: { position: string }) => !waiting.has(event.position)
      expect(await storedRows(db, table)).toEqual(await foldOfLog(contactList, { store, codec }, position, isFolded))
      for (const place of waiting) expect(place <= position).toBe(true)
      if (waiting.size > 0) counts['killed while a tenant was parked']++
      if (waiting.size > 0 && waiting.size < waited) counts['killed while it was retried']++
    })
  }

  await pool.query(mend)
  const child = await start()
  const ended = once(child, 'exit')
  await until(async () => (await standing()) >= end && (await waitingPositions(pool)).size === 0, 60_000)
  child.kill('SIGKILL')
  await ended
  expect(await storedRows(pool, table)).toEqual(await foldOfLog(contactList, { store, codec }, end))
  noteMeasurements('process of a projection with a parked tenant killed', { rounds, ...counts })
  expect(counts['killed while a tenant was parked']).toBeGreaterThan(0)
  await store.close()
  await postgres.drop()
})

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { memoryEventStore } from '../../event-store/memory.ts'
import { openPool } from '../../postgres/pool.ts'
import type { TestPostgres } from '../../postgres/testing.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { nameContact, namingReactor, reactorDeps, runningReactor } from '../../testing/running-reactor.ts'
import { until } from '../../testing/until.ts'
import { listParked } from '../engine/parked-queries.ts'
import { parkedWorkHandler } from '../engine/parked-work.ts'
import { decideOnWorkRetried } from './decide-on-work-retried.ts'

let database: TestPostgres
beforeAll(async () => {
  database = await kernelDatabase()
})
afterAll(() => database.drop())

const crowd = ['ana', 'bia', 'caio']
const happenings = fc.array(
  fc.record({
    who: fc.constantFrom(...crowd),
    kind: fc.constantFrom('fine', 'fine', 'fine', 'to retry', 'to release'),
  }),
  { minLength: 20, maxLength: 40 },
)

const crash = () =>
  database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and (application_name like 'prosa-lock %' or query ~ 'parked|checkpoint|epoch|effect')
       and pid <> pg_backend_pid()`,
  )

it('loses nothing and keeps each key’s order, wherever processes crash while work is parked, retried and released', async () => {
  const holds = fc.asyncProperty(happenings, async (log) => {
    const store = memoryEventStore()
    const pool = openPool(database.url)
    const deps = { ...reactorDeps(store, database), pool, pauses: [1] }
    const works = parkedWorkHandler(deps)
    const seen: string[] = []
    const repaired = new Set<string>()
    const name = randomUUID()
    const reactor = namingReactor(name, async (who, text) => {
      if (text.includes('to release') || (text.includes('to retry') && !repaired.has(text))) throw new Error('poison')
      seen.push(`${who} ${text}`)
    })
    const decisions = { ...decideOnWorkRetried(pool), name: randomUUID() }
    const texts = new Map<string, string>()
    for (const [index, { who, kind }] of log.entries())
      texts.set(await nameContact(store, who, `${index} ${kind}`), `${index} ${kind}`)
    for (const who of crowd) await nameContact(store, who, 'last')

    const running = [1, 2].flatMap(() => [runningReactor(reactor, deps), runningReactor(decisions, deps)])
    const context = {
      actor: { kind: 'admin', id: 'rosa' } as const,
      tenant: null,
      causationId: 'x',
      correlationId: 'x',
    }
    let crashes = 0
    await until(async () => {
      if (crashes < 4 && Math.random() < 0.05) {
        crashes++
        await crash()
      }
      const rows = (await listParked(database.pool, 1000)).filter(({ worker }) => worker === `reactor ${name}`)
      for (const { id, parkingId, eventId, isAnnounced, request } of rows) {
        const text = eventId && texts.get(eventId)
        if (!text || !isAnnounced || request) continue
        const type = text.includes('to release') ? 'ReleaseWork' : 'RetryWork'
        repaired.add(text)
        await works(id, { type, data: { parkingId } }, { commandId: randomUUID(), ...context })
      }
      return rows.length === 0 && crowd.every((who) => seen.includes(`${who} last`))
    }, 60_000)
    await Promise.all(running.map(({ stop }) => stop()))
    await pool.end()

    for (const person of crowd) {
      const wanted = log.flatMap(({ who, kind }, index) =>
        who === person && kind !== 'to release' ? [`${who} ${index} ${kind}`] : [],
      )
      const inOrder = [...new Set(seen.filter((each) => each.startsWith(person)))]
      expect(inOrder).toEqual([...wanted, `${person} last`])
    }
  })
  await fc.assert(holds, { numRuns: 1 })
}, 150_000)

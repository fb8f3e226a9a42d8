import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Position } from '../../event-store/port.ts'
import type { TestPostgres } from '../../postgres/testing.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { loseListeners } from '../../testing/lose-listeners.ts'
import { until } from '../../testing/until.ts'
import type { Changed } from '../engine/announcement.ts'
import { saveCheckpoint } from '../engine/checkpoints.ts'
import { type ReadModelGate, readModelGate } from './read-model-gate.ts'

describe('the versions of what tenants see', () => {
  let database: TestPostgres
  const stopping = new AbortController()
  let gate: ReadModelGate
  let other: ReadModelGate
  const troubles: unknown[] = []
  let location = 0
  const nextPosition = () => String(++location).padStart(8, '0') as Position

  const aGate = () => readModelGate(database.pool, database.url, stopping.signal, (error) => troubles.push(error))
  beforeAll(async () => {
    database = await kernelDatabase()
    gate = aGate()
    other = aGate()
    await change([])
  })
  beforeEach(async () => {
    for (const each of [gate, other]) await until(() => each.version('list', 'ana') !== undefined)
  })
  afterAll(async () => {
    stopping.abort()
    await database.drop()
  })

  const change = async (changed: Changed | undefined, readModel = 'list') => {
    const position = nextPosition()
    await saveCheckpoint(database.pool, readModel, 1, position, changed)
    for (const each of [gate, other]) expect(await each.reached([readModel], position, 10_000)).toBe(true)
  }
  const versions = (tenants: readonly string[], of = gate) => tenants.map((tenant) => of.version('list', tenant))
  const changedBy = async (changed: Changed | undefined, tenants: readonly string[]) => {
    const before = versions(tenants)
    await change(changed)
    const after = versions(tenants)
    return tenants.filter((_, index) => before[index] !== after[index])
  }

  it('are new for the tenants whose rows changed, and for nobody else', async () => {
    expect(await changedBy(['ana', 'bia', 'ana'], ['ana', 'bia', 'caio'])).toEqual(['ana', 'bia'])
    expect(await changedBy(['ana'], ['ana', 'bia', 'caio'])).toEqual(['ana'])
    expect(await changedBy([], ['ana', 'bia', 'caio'])).toEqual([])
  })

  it('differ between read models', async () => {
    const before = gate.version('list', 'ana')
    await change(['ana'], 'messages')
    expect(gate.version('list', 'ana')).toBe(before)
    expect(gate.version('messages', 'ana')).not.toBe(before)
  })

  it('never were used before', async () => {
    const seen = new Set<string | undefined>()
    for (let round = 0; round < 20; round++) {
      await change(round % 5 === 0 ? 'all' : ['ana'])
      seen.add(gate.version('list', 'ana'))
    }
    expect(seen.size).toBe(20)
  })

  it('are the same in all processes once a tenant has changed', async () => {
    await change(['ana'])
    expect(versions(['ana'])).toEqual(versions(['ana'], other))
  })

  it.each([
    ['it is not named whose rows changed', undefined],
    ['rows changed that are nobody’s', ['ana', null]],
  ])('are new for everybody when %s', async (_, changed) => {
    expect(await changedBy(changed, ['ana', 'bia', 'never seen'])).toEqual(['ana', 'bia', 'never seen'])
  })

  it.each([
    ['in several announcements', 1000, false],
    ['by announcing all', 20_000, true],
  ])('are new for however many tenants at once: %s', async (_, count, alsoOthers) => {
    const tenants = Array.from(
      { length: count },
      (_, index) => `7c0c5a0e-5f5e-4a53-9a37-${String(index).padStart(12, '0')}`,
    )
    await change(tenants)
    expect(await changedBy(tenants, tenants)).toEqual(tenants)
    expect(await changedBy(tenants, ['someone else'])).toEqual(alsoOthers ? ['someone else'] : [])
  })

  it('are not forgotten with a checkpoint that was not there yet when it was looked for', async () => {
    let release: (() => void) | undefined
    let isArmed = false
    const { pool } = database
    const slow = Object.assign(Object.create(pool) as Pool, {
      async query(...about: Parameters<Pool['query']>) {
        const answered = await pool.query(...about)
        if (isArmed && String(about[0]).includes('from checkpoint'))
          await new Promise<void>((resolve) => {
            isArmed = false
            release = resolve
          })
        return answered
      },
    })
    const third = readModelGate(slow, database.url, stopping.signal, (error) => troubles.push(error))
    await until(() => third.version('list', 'ana') !== undefined)
    const save = async () => {
      const position = nextPosition()
      await saveCheckpoint(pool, 'comes and goes', 1, position, ['ana'])
      expect(await third.reached(['comes and goes'], position, 10_000)).toBe(true)
      return position
    }
    await save()
    await pool.query(`delete from checkpoint where name = 'comes and goes'`)
    isArmed = true
    await until(() => release)
    const position = await save()
    release?.()
    for (let round = 0; round < 5; round++) await new Promise(setImmediate)
    expect(third.position('comes and goes')).toBe(position)
  })

  it('are unknown while changes are missed, and all of them new afterwards', async () => {
    const tenants = ['ana', 'bia']
    await change(['ana'])
    const before = versions(tenants)
    const listenAgain = await loseListeners(database)
    await until(() => gate.version('list', 'ana') === undefined)
    await change(['bia'])
    expect(versions(tenants)).toEqual([undefined, undefined])
    await listenAgain()
    await until(() => gate.version('list', 'ana'))
    for (const [index, version] of versions(tenants).entries()) expect(version).not.toBe(before[index])
  })

  it('are new before it is known how far a read model got of which no announcement came', async () => {
    const before = versions(['ana'])
    const position = nextPosition()
    await database.pool.query("update checkpoint set position = $1 where name = 'list'", [position])
    expect(await gate.reached(['list'], position, 10_000)).toBe(true)
    expect(versions(['ana'])).not.toEqual(before)
  })

  it('are new after a read model was exchanged for one of another version at the same position', async () => {
    const before = versions(['ana'])
    await database.pool.query("update checkpoint set version = version + 1 where name = 'list'")
    await until(() => versions(['ana'])[0] !== before[0])
  })

  it('are new when an announcement cannot be read', async () => {
    const before = versions(['ana'])
    await database.pool.query("select pg_notify('prosa_checkpoint', 'list 00000001')")
    await until(() => versions(['ana'])[0] !== before[0])
    expect(troubles.length).toBeGreaterThan(0)
  })
})

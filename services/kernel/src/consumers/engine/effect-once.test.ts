import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPool } from '../../postgres/pool.ts'
import type { TestPostgres } from '../../postgres/testing.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { EffectNotMade, EffectUnknown, effectOnce } from './effect-once.ts'
import { forgetClaim } from './effect-queries.ts'

let database: TestPostgres
beforeAll(async () => {
  database = await kernelDatabase()
})
afterAll(() => database.drop())

const mailer = (fail?: Error) => {
  const sent: string[] = []
  return {
    sent,
    send: async () => {
      sent.push('letter')
      if (fail) throw fail
    },
  }
}

describe('an effect on another system', () => {
  it('is made once, however often and in however many processes it is asked for', async () => {
    const [id, { sent, send }] = [randomUUID(), mailer()]
    const here = effectOnce(database.pool)
    await Promise.all([here(id, send), here(id, send)])
    await here(id, send)
    await effectOnce(database.pool)(id, send)
    expect(sent).toEqual(['letter'])
  })

  it('is unknown and not repeated when a crash came before the mark', async () => {
    const [id, { sent, send }] = [randomUUID(), mailer()]
    const dying = openPool(database.url)
    const made = effectOnce(dying)(id, async () => {
      await send()
      await dying.end()
    })
    await expect(made).rejects.toThrow()
    const afterwards = effectOnce(database.pool)
    await expect(afterwards(id, send)).rejects.toThrow(EffectUnknown)
    await expect(afterwards(id, send)).rejects.toMatchObject({ effectId: id })
    expect(sent).toEqual(['letter'])
  })

  it('is marked, not repeated, when the database was away for the mark only', async () => {
    const [id, { sent, send }] = [randomUUID(), mailer()]
    const pool = openPool(database.url)
    const once = effectOnce(pool)
    const query = pool.query.bind(pool)
    const made = once(id, async () => {
      await send()
      Object.assign(pool, { query: () => Promise.reject(new Error('Connection terminated')) })
    })
    await expect(made).rejects.toThrow('Connection terminated')
    Object.assign(pool, { query })
    await once(id, send)
    await effectOnce(database.pool)(id, send)
    expect(sent).toEqual(['letter'])
    await pool.end()
  })

  it('is unknown when making it failed halfway, for the maker too', async () => {
    const [id, { sent, send }] = [randomUUID(), mailer(new Error('timed out'))]
    const once = effectOnce(database.pool)
    await expect(once(id, send)).rejects.toThrow(EffectUnknown)
    await expect(once(id, send)).rejects.toThrow(EffectUnknown)
    expect(sent).toEqual(['letter'])
  })

  it('may be tried again when nothing left the process', async () => {
    const [id, { sent, send }] = [randomUUID(), mailer()]
    const once = effectOnce(database.pool)
    const refused = () => Promise.reject(new EffectNotMade('no connection'))
    await expect(once(id, refused)).rejects.toThrow(EffectNotMade)
    await once(id, send)
    expect(sent).toEqual(['letter'])
  })

  it('is made again once somebody took the claim back', async () => {
    const [id, { sent, send }] = [randomUUID(), mailer(new Error('timed out'))]
    const once = effectOnce(database.pool)
    await expect(once(id, send)).rejects.toThrow(EffectUnknown)
    await forgetClaim(database.pool, id)
    await once(id, async () => void sent.push('again'))
    expect(sent).toEqual(['letter', 'again'])
  })
})

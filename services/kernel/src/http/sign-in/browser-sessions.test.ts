import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPool, transaction } from '../../postgres/pool.ts'
import type { TestPostgres } from '../../postgres/testing.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { loseListeners } from '../../testing/lose-listeners.ts'
import { until } from '../../testing/until.ts'
import { type BrowserSessions, browserSessions } from './browser-sessions.ts'

const ana = '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11'
const [oldPassword, newPassword] = ['1e0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11', '2e0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11']
const caio = '0d3a3b6c-4a0e-4f0f-8c55-0a6f3d1b2c11'

const issueFor = async (sessions: BrowserSessions, credentialId: string) => {
  const issued = await sessions.issueFor(ana, credentialId)
  if (!issued) throw new Error('this is not the current password')
  return issued
}

describe('browser sessions', () => {
  let database: TestPostgres
  let stopping: AbortController
  let pools: Pool[]
  beforeEach(async () => {
    database = await kernelDatabase()
    stopping = new AbortController()
    pools = []
  })
  afterEach(async () => {
    stopping.abort()
    await Promise.all(pools.map((pool) => pool.end()))
    await database.drop()
  })

  const aProcess = async () => {
    const pool = openPool(database.url, { max: 1 })
    pools.push(pool)
    let queries = 0
    pool.on('acquire', () => queries++)
    const sessions = browserSessions(pool, { url: database.url, signal: stopping.signal })
    const isCached = async (token: string) => {
      const before = queries
      const found = await sessions.resolve(token)
      return found !== undefined && queries === before
    }
    const { token } = await sessions.issue(caio)
    await until(() => isCached(token))
    return { sessions, isCached }
  }

  it('signs an account out of its oldest browser with the 201st, here and in other processes, and nobody else', async () => {
    const { sessions } = await aProcess()
    const other = await aProcess()
    const others = await sessions.issue(caio)
    const first = await sessions.issue(ana)
    const second = await sessions.issue(ana)
    expect([await other.isCached(first.token), await other.isCached(first.token)]).toEqual([false, true])
    const ended: string[] = []
    sessions.onRevoked((sessionId) => ended.push(sessionId))
    for (let count = 2; count <= 200; count++) await sessions.issue(ana)
    expect([...new Set(ended)]).toEqual([first.sessionId])
    expect(await sessions.resolve(first.token)).toBeUndefined()
    await until(async () => (await other.sessions.resolve(first.token)) === undefined)
    for (const { token } of [second, others]) expect(await sessions.resolve(token)).toBeDefined()
  })

  it('signs in while another sign-in of the account ends the same browsers in another order', async () => {
    const pool = openPool(database.url, { max: 3 })
    pools.push(pool)
    const sessions = browserSessions(pool)
    for (let count = 0; count < 210; count++) await sessions.issue(ana)
    await pool.query(
      `insert into browser_session (token_hash, user_id, created_at)
       select decode(lpad(n::text, 64, '0'), 'hex'), $1, now() - interval '1 day' from generate_series(1, 9) n`,
      [ana],
    )
    const end = (db: PoolClient, numbers: readonly number[]) =>
      db.query(
        "delete from browser_session where token_hash = any(select decode(lpad(n, 64, '0'), 'hex') from unnest($1::text[]) n)",
        [numbers],
      )
    const isWaiting = async () => ((await pool.query('select from pg_locks where not granted')).rowCount ?? 0) > 0
    await transaction(pool, async (other) => {
      await end(other, [5])
      let issued = false
      const issuing = sessions.issue(ana).then(() => (issued = true))
      await until(async () => issued || (await isWaiting()))
      await end(other, [1, 2, 3, 4, 6, 7, 8, 9])
      await issuing
    })
    const { rows } = await pool.query('select count(*)::int as open from browser_session where user_id = $1', [ana])
    expect(rows).toEqual([{ open: 200 }])
  })

  it('takes a session that was found from memory, and knows whose it is', async () => {
    const { sessions, isCached } = await aProcess()
    const { token, sessionId } = await sessions.issue(ana)
    expect(await isCached(token)).toBe(false)
    expect(await isCached(token)).toBe(true)
    expect(await sessions.resolve(token)).toMatchObject({ userId: ana, mustChangePassword: false, sessionId })
  })

  it('refuses a revoked session at once where it was revoked', async () => {
    const { sessions, isCached } = await aProcess()
    const [leaving, staying] = [await sessions.issue(ana), await sessions.issue(ana)]
    for (const { token } of [leaving, staying]) await until(() => isCached(token))
    await sessions.revoke(leaving.token)
    expect(await sessions.resolve(leaving.token)).toBeUndefined()
    expect(await isCached(staying.token)).toBe(true)
  })

  it('refuses it in every other process within moments, and notifies their listeners of its id', async () => {
    const [here, there] = [await aProcess(), await aProcess()]
    const { token, sessionId } = await here.sessions.issue(ana)
    await until(() => there.isCached(token))
    const revoked: string[] = []
    there.sessions.onRevoked((id) => revoked.push(id))
    await here.sessions.revoke(token)
    await until(async () => (await there.sessions.resolve(token)) === undefined)
    expect(revoked).toEqual([sessionId])
  })

  it('ends all sessions of a user but those of one password, and nobody else’s', async () => {
    const [here, there] = [await aProcess(), await aProcess()]
    const nobodyKnows = await here.sessions.issue(ana)
    await here.sessions.follow({ userId: ana, credentialId: oldPassword, epoch: 1 })
    const asking = await issueFor(here.sessions, oldPassword)
    const other = await issueFor(here.sessions, oldPassword)
    const stranger = await here.sessions.issue(caio)
    await until(() => there.isCached(other.token))
    await until(() => there.isCached(asking.token))
    await here.sessions.assign(asking.token, { from: oldPassword, to: newPassword })
    expect(await there.sessions.resolve(asking.token)).toBeDefined()
    await here.sessions.follow({ userId: ana, credentialId: newPassword, epoch: 2 })
    for (const { token } of [other, nobodyKnows]) expect(await here.sessions.resolve(token)).toBeUndefined()
    await until(async () => (await there.sessions.resolve(other.token)) === undefined)
    expect(await there.sessions.resolve(asking.token)).toBeDefined()
    expect(await there.sessions.resolve(stranger.token)).toBeDefined()
    await here.sessions.follow({ userId: ana, credentialId: null, epoch: 3 })
    expect(await here.sessions.resolve(asking.token)).toBeUndefined()
    expect(await here.sessions.resolve(stranger.token)).toBeDefined()
  })

  it('is good for a change of the password only, in every process, until the temporary one is replaced', async () => {
    const [here, there] = [await aProcess(), await aProcess()]
    await here.sessions.follow({ userId: ana, credentialId: oldPassword, epoch: 1, isTemporary: true })
    const { token } = await issueFor(here.sessions, oldPassword)
    await until(() => there.isCached(token))
    expect(await there.sessions.resolve(token)).toMatchObject({ mustChangePassword: true })
    await here.sessions.assign(token, { from: oldPassword, to: newPassword })
    await here.sessions.follow({ userId: ana, credentialId: newPassword, epoch: 2 })
    expect(await here.sessions.resolve(token)).toMatchObject({ mustChangePassword: false })
    await until(async () => (await there.sessions.resolve(token))?.mustChangePassword === false)
  })

  it('gives no session for a password that is not the account’s, nor for an erased account', async () => {
    const { sessions } = await aProcess()
    expect(await sessions.issueFor(ana, oldPassword)).toBeUndefined()
    await sessions.follow({ userId: ana, credentialId: newPassword, epoch: 2 })
    expect(await sessions.issueFor(ana, oldPassword)).toBeUndefined()
    expect(await sessions.issueFor(ana, newPassword)).toBeDefined()
    await sessions.follow({ userId: ana, credentialId: null, epoch: 3 })
    expect(await sessions.issueFor(ana, newPassword)).toBeUndefined()
  })

  it('does not go back to an earlier password when word of it comes late', async () => {
    const { sessions } = await aProcess()
    await sessions.follow({ userId: ana, credentialId: newPassword, epoch: 2 })
    const { token } = await issueFor(sessions, newPassword)
    await sessions.follow({ userId: ana, credentialId: oldPassword, epoch: 1 })
    expect(await sessions.resolve(token)).toBeDefined()
    expect(await sessions.issueFor(ana, oldPassword)).toBeUndefined()
  })

  it('refuses a session of another password wherever it came from: at every look-up, not only when it is given', async () => {
    const { sessions } = await aProcess()
    await sessions.follow({ userId: ana, credentialId: oldPassword, epoch: 1 })
    const { token } = await issueFor(sessions, oldPassword)
    await database.pool.query('update current_credential set credential_id = $1, epoch = 2', [newPassword])
    expect(await sessions.resolve(token)).toBeUndefined()
    const { rows } = await database.pool.query('select credential_id from browser_session where user_id = $1', [ana])
    expect(rows).toEqual([{ credential_id: oldPassword }])
  })

  it('is given before a change of the password, which then ends it, or after, and then not at all', async () => {
    const { sessions } = await aProcess()
    const both = openPool(database.url, { max: 8 })
    pools.push(both)
    const many = browserSessions(both)
    for (let epoch = 1; epoch < 20; epoch++) {
      const [before, after] = [randomUUID(), randomUUID()]
      await sessions.follow({ userId: ana, credentialId: before, epoch: 2 * epoch })
      const issuing = [1, 2, 3].map(() => many.issueFor(ana, before))
      await Promise.all([...issuing, many.follow({ userId: ana, credentialId: after, epoch: 2 * epoch + 1 })])
      for (const issued of await Promise.all(issuing))
        expect(issued && (await sessions.resolve(issued.token))).toBeUndefined()
    }
    const { rows } = await database.pool.query('select 1 from browser_session where user_id = $1', [ana])
    expect(rows).toEqual([])
  })

  it('takes nothing from memory while it receives no revocations', async () => {
    const [here, there] = [await aProcess(), await aProcess()]
    const { token } = await here.sessions.issue(ana)
    await until(() => there.isCached(token))
    const listenAgain = await loseListeners(database)
    await until(async () => !(await there.isCached(token)))
    await here.sessions.revoke(token)
    expect(await there.sessions.resolve(token)).toBeUndefined()
    const { token: next } = await here.sessions.issue(ana)
    expect(await there.isCached(next)).toBe(false)
    expect(await there.isCached(next)).toBe(false)
    await listenAgain()
    await until(() => there.isCached(next))
    expect(await there.sessions.resolve(token)).toBeUndefined()
  })

  it('keeps nothing in memory where revocations are not listened to', async () => {
    const sessions = browserSessions(database.pool)
    const { token } = await sessions.issue(ana)
    expect(await sessions.resolve(token)).toBeDefined()
    await database.pool.query('delete from browser_session')
    expect(await sessions.resolve(token)).toBeUndefined()
  })

  it.each([
    ['idle for a week', 'seen_at', '7 days'],
    ['30 days old', 'created_at', '30 days'],
  ])('is not found in memory beyond its limit: %s', async (_, column, limit) => {
    const { sessions, isCached } = await aProcess()
    const { token } = await sessions.issue(ana)
    const endsSoon = `${column} = now() - interval '${limit}' + interval '2 seconds'`
    await database.pool.query(`update browser_session set ${endsSoon} where user_id = $1`, [ana])
    // Resolving counts as use; the second statement undoes that.
    await until(() => isCached(token))
    await database.pool.query(`update browser_session set ${endsSoon} - interval '3 seconds' where user_id = $1`, [ana])
    await until(async () => (await sessions.resolve(token)) === undefined)
  })

  it('stays alive by being used', async () => {
    const { sessions } = await aProcess()
    const { token } = await sessions.issue(ana)
    await database.pool.query("update browser_session set seen_at = now() - interval '6 days'")
    await sessions.resolve(token)
    const { rows } = await database.pool.query(
      "select user_id from browser_session where seen_at > now() - interval '1 hour'",
    )
    expect(rows).toEqual([{ user_id: ana }])
  })
})

import { randomBytes, randomUUID } from 'node:crypto'
import { silentLog } from '@prosa/kernel/observability/log'
import { openPool } from '@prosa/kernel/postgres/pool'
import type { TestPostgres } from '@prosa/kernel/postgres/testing'
import { secretBox } from '@prosa/kernel/privacy/secret-box'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { tcpProxy } from '@prosa/kernel/testing/tcp-proxy'
import { until } from '@prosa/kernel/testing/until'
import { proto, type SignalDataSet, type SignalDataTypeMap } from '@whiskeysockets/baileys'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { leaseKeeper } from '../../leases/lease-keeper.ts'
import { sessionMigrations } from '../../migrations/session-migrations.ts'
import { CredentialsClosed, credentialStore } from './credential-store.ts'
import type { CredentialsHolder } from './queries.ts'

let database: TestPostgres
const box = secretBox(randomBytes(32))

beforeAll(async () => {
  database = await kernelDatabase(sessionMigrations)
})
afterAll(() => database.drop())

const store = () => credentialStore(database.pool, box)
const me = { id: '5511900000001:1@s.whatsapp.net', lid: '163640653162923:1@lid' }
const linked = { me, account: { details: randomBytes(8) } }

const withLease = async (): Promise<CredentialsHolder> => {
  const keeper = leaseKeeper({ pool: database.pool, log: silentLog(), leaseMs: 60_000 })
  await keeper.announce([randomUUID()])
  const [lease] = await keeper.takeFree(1)
  if (!lease) throw new Error('no lease')
  return { connectionId: lease.connectionId, generation: 0, token: lease.token }
}

const takeAway = async ({ connectionId }: CredentialsHolder): Promise<string> => {
  await database.pool.query(`update connection_lease set expires_at = '-infinity' where connection_id = $1`, [
    connectionId,
  ])
  return (await leaseKeeper({ pool: database.pool, log: silentLog(), leaseMs: 60_000 }).takeFree(1))[0]?.token ?? ''
}

/** One key of every Baileys type: a missing type does not compile. */
const everyType: { [T in keyof SignalDataTypeMap]: SignalDataTypeMap[T] } = {
  'pre-key': { public: randomBytes(33), private: randomBytes(32) },
  session: randomBytes(200),
  'sender-key': randomBytes(100),
  'sender-key-memory': { '5511900000002:0@s.whatsapp.net': true },
  'app-state-sync-key': { keyData: randomBytes(32), timestamp: 1_790_000_000 },
  'app-state-sync-version': {
    version: 3,
    hash: randomBytes(128),
    indexValueMap: { mac: { valueMac: randomBytes(32) } },
  },
  'lid-mapping': '163640653162923',
  'device-list': ['0', '1'],
  tctoken: { token: randomBytes(16), timestamp: '1790000000', senderTimestamp: 5 },
  'identity-key': randomBytes(33),
}

const comparable = (type: string, value: unknown) =>
  type === 'app-state-sync-key'
    ? Buffer.from(proto.Message.AppStateSyncKeyData.encode(value as proto.Message.IAppStateSyncKeyData).finish())
    : value

describe('credentials in PostgreSQL', () => {
  it('come back with every type of key after a restart', async () => {
    const holder = await withLease()
    const first = await store().open(holder)
    Object.assign(first.state.creds, linked)
    await first.save()
    const data = Object.fromEntries(Object.entries(everyType).map(([type, value]) => [type, { 'some:id.0': value }]))
    await first.state.keys.set(data as SignalDataSet)

    const second = await store().open(holder)
    expect(second.state.creds).toEqual(first.state.creds)
    expect(Buffer.isBuffer(second.state.creds.noiseKey.private)).toBe(true)
    for (const [type, value] of Object.entries(everyType)) {
      const found = await second.state.keys.get(type as keyof SignalDataTypeMap, ['some:id.0', 'unknown'])
      expect(Object.keys(found)).toEqual(['some:id.0'])
      expect(comparable(type, found['some:id.0'])).toEqual(comparable(type, value))
    }
  })

  it('are new each time until a number is linked', async () => {
    const holder = await withLease()
    const first = await store().open(holder)
    await first.state.keys.set({ 'pre-key': { '1': everyType['pre-key'] } })
    const second = await store().open(holder)
    expect(second.state.creds.advSecretKey).not.toBe(first.state.creds.advSecretKey)
    expect(await second.state.keys.get('pre-key', ['1'])).toEqual({})
  })

  it('change all keys of one set or none', async () => {
    const { state } = await store().open(await withLease())
    await state.keys.set({ session: { a: Buffer.from('1'), b: Buffer.from('1') } })
    const poison = { session: { a: Buffer.from('2'), b: null }, 'lid-mapping': { c: 'x' }, '\u0000': { d: 'y' } }
    await expect(state.keys.set(poison as SignalDataSet)).rejects.toThrow()
    expect(await state.keys.get('session', ['a', 'b'])).toEqual({ a: Buffer.from('1'), b: Buffer.from('1') })
    expect(await state.keys.get('lid-mapping', ['c'])).toEqual({})
    await state.keys.set({ session: { a: Buffer.from('2'), b: null } })
    expect(await state.keys.get('session', ['a', 'b'])).toEqual({ a: Buffer.from('2') })
  })

  it('take the 812 keys of a new device in one set', async () => {
    const { state } = await store().open(await withLease())
    const ids = Array.from({ length: 812 }, (_, index) => String(index))
    await state.keys.set({ 'pre-key': Object.fromEntries(ids.map((id) => [id, everyType['pre-key']])) })
    expect(Object.keys(await state.keys.get('pre-key', ids))).toHaveLength(812)
  })

  it('keep nothing readable in the database', async () => {
    const holder = await withLease()
    const { state, save } = await store().open(holder)
    Object.assign(state.creds, linked)
    await save()
    await state.keys.set({ 'lid-mapping': { '5511900000002': 'a readable secret' } })
    const { rows } = await database.pool.query(
      `select c::text as text from whatsapp_credentials c where connection_id = $1
       union all select k::text from whatsapp_key k where connection_id = $1`,
      [holder.connectionId],
    )
    const bytes = rows.map(({ text }) => text).join()
    for (const secret of ['5511900000002', 'a readable secret', me.id, state.creds.advSecretKey]) {
      expect(bytes).not.toContain(secret)
      expect(bytes).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })

  it('cannot be moved to another connection', async () => {
    const [mine, theirs] = [await withLease(), await withLease()]
    const { state, save } = await store().open(mine)
    Object.assign(state.creds, linked)
    await save()
    await store().open(theirs)
    await database.pool.query(
      `update whatsapp_credentials set sealed = (select sealed from whatsapp_credentials where connection_id = $1)
       where connection_id = $2`,
      [mine.connectionId, theirs.connectionId],
    )
    await expect(store().open(theirs)).rejects.toThrow()
  })

  it('of a number that was given up are never used again', async () => {
    const holder = await withLease()
    const old = await store().open(holder)
    Object.assign(old.state.creds, linked)
    await old.save()
    await old.state.keys.set({ 'lid-mapping': { a: '1' } })
    const fresh = await store().open({ ...holder, generation: 1 })
    expect(fresh.state.creds.me).toBeUndefined()
    await old.state.keys.set({ 'lid-mapping': { a: '2' } })
    await old.save()
    expect(await fresh.state.keys.get('lid-mapping', ['a'])).toEqual({})
    expect((await store().open({ ...holder, generation: 1 })).state.creds.me).toBeUndefined()
  })

  it('are gone with all keys once forgotten, while a newer generation stays', async () => {
    const holder = { ...(await withLease()), generation: 4 }
    const { state, save } = await store().open(holder)
    Object.assign(state.creds, linked)
    await save()
    await state.keys.set({ 'lid-mapping': { a: '1' } })
    await store().forget({ ...holder, generation: 3 })
    expect((await store().open(holder)).state.creds.me).toEqual(me)
    await store().forget(holder)
    expect((await store().open(holder)).state.creds.me).toBeUndefined()
    const { rows } = await database.pool.query('select from whatsapp_key where connection_id = $1', [
      holder.connectionId,
    ])
    expect(rows).toEqual([])
  })

  it('are thrown away when a pairing code was asked for and its line ended before a phone took it', async () => {
    const holder = await withLease()
    const first = await store().open(holder)
    Object.assign(first.state.creds, { me: { id: '5511900000001@s.whatsapp.net', name: '~' }, pairingCode: 'ABCD1234' })
    await first.save()
    const second = await store().open(holder)
    expect(second.state.creds.me).toBeUndefined()
    expect(second.state.creds.noiseKey).not.toEqual(first.state.creds.noiseKey)
  })

  it('cannot be changed any more once another process has taken the connection', async () => {
    const holder = await withLease()
    const old = await store().open(holder)
    Object.assign(old.state.creds, linked)
    await old.save()
    await old.state.keys.set({ 'lid-mapping': { a: '1' } })
    const next = { ...holder, token: await takeAway(holder) }
    const fresh = await store().open(next)

    await expect(old.state.keys.set({ 'lid-mapping': { a: '2', b: '2' } })).rejects.toThrow(CredentialsClosed)
    await expect(old.state.keys.set({ 'lid-mapping': { a: null } })).rejects.toThrow(CredentialsClosed)
    await expect(old.save()).rejects.toThrow(CredentialsClosed)
    await expect(store().open({ ...holder, generation: 1 })).rejects.toThrow(CredentialsClosed)
    await store().forget(holder)
    expect(await fresh.state.keys.get('lid-mapping', ['a', 'b'])).toEqual({ a: '1' })
    await fresh.save()
    expect((await store().open(next)).state.creds.me).toEqual(me)
  })

  it('are out of reach for a line that was closed', async () => {
    const { state, save, close } = await store().open(await withLease())
    close()
    await expect(state.keys.set({ 'lid-mapping': { a: '1' } })).rejects.toThrow(CredentialsClosed)
    await expect(state.keys.get('lid-mapping', ['a'])).rejects.toThrow(CredentialsClosed)
    await expect(save()).rejects.toThrow(CredentialsClosed)
  })

  it('are waited for while the database is away, until the line is closed', async () => {
    const proxy = await tcpProxy(Number(new URL(database.url).port))
    const url = Object.assign(new URL(database.url), { port: String(proxy.port) })
    const pool = openPool(url.href)
    onTestFinished(async () => {
      await pool.end()
      await proxy.close()
    })
    const { state, close } = await credentialStore(pool, box).open(await withLease())
    proxy.refuse(true)
    const written = state.keys.set({ 'lid-mapping': { a: '1' } })
    const read = state.keys.get('lid-mapping', ['b'])
    await until(() => proxy.refused() > 2)
    proxy.refuse(false)
    await written
    expect(await read).toEqual({})
    expect(await state.keys.get('lid-mapping', ['a'])).toEqual({ a: '1' })

    proxy.refuse(true)
    const abandoned = expect(state.keys.get('lid-mapping', ['c'])).rejects.toThrow(CredentialsClosed)
    close()
    await abandoned
  })
})

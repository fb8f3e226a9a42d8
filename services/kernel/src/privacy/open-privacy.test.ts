import { randomBytes, randomUUID } from 'node:crypto'
import { contactSubject } from '@prosa/contracts/events/subjects'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../observability/log.ts'
import type { TestPostgres } from '../postgres/testing.ts'
import { kernelDatabase } from '../testing/kernel-database.ts'
import { masterKeys, WrongMasterSecret } from './master-keys.ts'
import { openPrivacy, type Privacy } from './open-privacy.ts'
import { readKeysOfOtherMasters, rewrapKeys } from './queries.ts'
import { secretBox } from './secret-box.ts'
import { secretStore } from './secret-store.ts'
import { rewrapped } from './subject-keys.ts'

let database: TestPostgres
let ending: AbortController
beforeEach(async () => {
  ending = new AbortController()
  database = await kernelDatabase()
})
afterEach(async () => {
  ending.abort()
  await database.drop()
})

const start = async (masterSecret: Uint8Array, ...oldSecrets: Uint8Array[]): Promise<Privacy> => {
  const { pool, url: databaseUrl } = database
  return openPrivacy({
    pool,
    writePool: pool,
    databaseUrl,
    masterSecret,
    oldSecrets,
    log: silentLog(),
    signal: ending.signal,
  })
}

const everyKey = async () => {
  const { rows } = await database.pool.query(
    `select t::text from (select purpose as name, wrapped, master from house_key
     union all select id::text, wrapped, master from subject_key) t order by 1`,
  )
  return rows
}

const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const ana = contactSubject(randomUUID())

describe('the current keys of subjects', () => {
  it('are read where this process does not remember them, and left out where there are none', async () => {
    const [bia, erased, unknown] = [randomUUID(), randomUUID(), randomUUID()].map(contactSubject)
    if (!bia || !erased || !unknown) throw new Error('three subjects were made')
    const { subjectKeys } = await start(first)
    const made = await subjectKeys.toEncrypt([ana, bia, erased])
    await subjectKeys.erase([erased])
    const again = (await start(first)).subjectKeys
    expect(await again.current([])).toEqual(new Map())
    expect(await again.current([ana])).toEqual(new Map([[ana, made.get(ana)]]))
    expect(await again.current([ana, bia, erased, unknown])).toEqual(
      new Map([
        [ana, made.get(ana)],
        [bia, made.get(bia)],
      ]),
    )
  })
})

describe('a wrong master secret', () => {
  it('is noticed at the start, changes nothing, and loses nothing', async () => {
    const { box, subjectKeys } = await start(first)
    const encrypted = box.encrypt(Buffer.from('segredo'), 'here')
    const key = (await subjectKeys.toEncrypt([ana])).get(ana)
    const before = await everyKey()
    await expect(start(second)).rejects.toThrow(WrongMasterSecret)
    expect(await everyKey()).toEqual(before)
    const again = await start(first)
    expect(again.box.decrypt(encrypted, 'here').toString()).toBe('segredo')
    expect((await again.subjectKeys.toDecrypt([key?.id ?? ''])).get(key?.id ?? '')).toEqual(key)
  })

  it('is distinguished from installation keys that are gone', async () => {
    await (await start(first)).subjectKeys.toEncrypt([ana])
    await database.pool.query('delete from house_key')
    await expect(start(first)).rejects.toThrow('house_key')
  })
})

describe('changing the master secret', () => {
  it('keeps every key, secret and fingerprint, and lets the old one be taken away afterwards', async () => {
    const before = await start(first)
    const encrypted = before.box.encrypt(Buffer.from('credencial'), 'line')
    const fingerprint = before.box.fingerprint('ana@example.com', 'e-mail claim')
    const subjects = Array.from({ length: 1200 }, () => contactSubject(randomUUID()))
    const keys = await before.subjectKeys.toEncrypt(subjects)
    await before.subjectKeys.erase(subjects.slice(0, 1))

    expect(await (await start(second, first)).rewrapping).toBe(1199)
    const after = await start(second)
    expect(after.box.decrypt(encrypted, 'line').toString()).toBe('credencial')
    expect(after.box.fingerprint('ana@example.com', 'e-mail claim')).toBe(fingerprint)
    const ids = [...keys.values()].map(({ id }) => id)
    const found = await after.subjectKeys.toDecrypt(ids)
    for (const { id, subject, key } of keys.values())
      expect(found.get(id)).toEqual(subject === subjects[0] ? 'erased' : { id, subject, key })
    await expect(start(first)).rejects.toThrow(WrongMasterSecret)
  })

  it('that was cut short goes on, and refuses to go on without the old secret', async () => {
    await (await start(first)).subjectKeys.toEncrypt([ana])
    ending.abort()
    expect(await (await start(second, first)).rewrapping).toBe(0)
    await expect(start(second)).rejects.toThrow('still encrypted with an earlier master secret')
    ending = new AbortController()
    expect(await (await start(third, second, first)).rewrapping).toBe(1)
    await expect(start(third)).resolves.toBeDefined()
  })

  it('does not bring back a key that is erased in the same moment', async () => {
    const { pool } = database
    const { subjectKeys } = await start(first)
    const key = (await subjectKeys.toEncrypt([ana])).get(ana)
    const masters = masterKeys(second, [first])
    const page = await readKeysOfOtherMasters(pool, masters.current, 10)
    await subjectKeys.erase([ana])
    expect(
      await rewrapKeys(
        pool,
        page.map((row) => rewrapped(masters, row)),
      ),
    ).toBe(0)
    expect((await subjectKeys.toDecrypt([key?.id ?? ''])).get(key?.id ?? '')).toBe('erased')
  })

  it('made while nothing was encrypted needs no old secret for keys of subjects', async () => {
    await start(first)
    await start(second, first)
    await expect(start(second)).resolves.toBeDefined()
  })
})

describe('the installation keys', () => {
  it('are made once, by whichever of several processes starts first', async () => {
    const starts = await Promise.all(Array.from({ length: 5 }, () => start(first)))
    const fingerprints = starts.map(({ box }) => box.fingerprint('ana', 'test'))
    expect(new Set(fingerprints).size).toBe(1)
    expect(fingerprints[0]).not.toBe(secretBox(first).fingerprint('ana', 'test'))
  })

  it('decrypt what was encrypted before they existed, and keep the fingerprints of that time', async () => {
    const earlier = secretBox(first)
    await secretStore(database.pool, earlier).put('password', 'ana', 'hash')
    await start(first)
    const { box } = await start(second, first)
    expect(await secretStore(database.pool, box).get('password', 'ana')).toBe('hash')
    expect(box.fingerprint('ana', 'test')).toBe(earlier.fingerprint('ana', 'test'))
  })
})

import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { calculateJwkThumbprint, createRemoteJWKSet, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../clock.ts'
import type { TestPostgres } from '../../postgres/testing.ts'
import { secretBox } from '../../privacy/secret-box.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { readSessionToken, signSessionToken } from './session-token.ts'
import { publishedBeforeMs, type SigningKeys, signingKeys } from './signing-keys.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** Only dates move: identity's clock, the services' clocks and the cache of key sets in jose. */
describe('signing keys', () => {
  const box = secretBox(randomBytes(32))
  let database: TestPostgres
  let server: Server
  let url: URL
  let published: SigningKeys['published']
  let fetches = 0
  beforeAll(async () => {
    database = await kernelDatabase()
    server = createServer((_request, response) => {
      fetches++
      published().then(
        (keys) => response.setHeader('content-type', 'application/json').end(JSON.stringify(keys)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/internal/keys`)
  })
  afterAll(async () => {
    vi.useRealTimers()
    server.close()
    await database.drop()
  })

  const process = () => signingKeys({ pool: database.pool, box, clock: systemClock })
  const session = () => ({
    userId: randomUUID(),
    sessionId: randomBytes(32).toString('hex'),
    mustChangePassword: false,
    endsAt: Date.now() + 30 * day,
  })

  it('are one for all processes of identity, however many make the first at once', async () => {
    const processes = Array.from({ length: 5 }, process)
    const kids = await Promise.all(processes.map(async (keys) => (await keys.current()).kid))
    expect(new Set(kids).size).toBe(1)
    const [key] = (await process().published()).keys
    expect([key?.kid, key && (await calculateJwkThumbprint(key))]).toEqual([kids[0], kids[0]])
    expect(key).not.toHaveProperty('d')
  })

  it('are not readable in the database', async () => {
    await process().current()
    const { rows } = await database.pool.query<{ encrypted: Buffer }>('select encrypted from signing_key')
    for (const { encrypted } of rows) expect(encrypted.toString('latin1')).not.toMatch(/"d"|OKP|Ed25519/)
    const other = signingKeys({ pool: database.pool, box: secretBox(randomBytes(32)), clock: systemClock })
    await expect(other.current()).rejects.toThrow()
  })

  it('rotate under load without a refusal: three days of two identities and three services', async () => {
    const identities = [process(), process()]
    published = () => (identities[fetches % 2] ?? process()).published()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const services = Array.from({ length: 3 }, () => createRemoteJWKSet(url))
    const kids = new Set<string>()
    let [asked, refused, most] = [0, 0, 0]
    /** One of the services is asked seldom. */
    const verify = async (token: string) => {
      for (const [index, keys] of services.entries()) {
        if (index === 2 && asked % 17 !== 0) continue
        asked++
        if (!(await readSessionToken(token, keys, systemClock))) refused++
      }
    }
    const until = Date.now() + 3 * day + 30 * minute
    while (Date.now() < until) {
      const tokens: string[] = []
      for (const keys of identities)
        tokens.push(await signSessionToken(await keys.current(), session(), [], Date.now()))
      for (const token of tokens) {
        kids.add(String(decodeProtectedHeader(token).kid))
        await verify(token)
      }
      vi.setSystemTime(Date.now() + 59_000)
      for (const token of tokens) await verify(token)
      most = Math.max(most, (await identities[0]?.published())?.keys.length ?? 0)
      vi.setSystemTime(Date.now() + 4 * minute)
    }
    vi.useRealTimers()
    expect({ refused, keys: kids.size, most }).toEqual({ refused: 0, keys: 4, most: 2 })
    expect(asked).toBeGreaterThan(5000)
  }, 120_000)

  it('are published ten minutes before they sign, and gone ten minutes after their last token', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * day })
    const keys = process()
    const kidsOf = async () => (await keys.published()).keys.map(({ kid }) => kid)
    await keys.current()
    vi.setSystemTime(Date.now() + publishedBeforeMs)
    const first = (await keys.current()).kid
    vi.setSystemTime(Date.now() + day - publishedBeforeMs)
    const [next, ...others] = await kidsOf()
    expect([others.includes(first), next === first, (await keys.current()).kid]).toEqual([true, false, first])
    vi.setSystemTime(Date.now() + publishedBeforeMs - 1000)
    expect((await keys.current()).kid).toBe(first)
    vi.setSystemTime(Date.now() + 1000)
    expect((await keys.current()).kid).toBe(next)
    vi.setSystemTime(Date.now() + 11 * minute - 1000)
    expect(await kidsOf()).toContain(first)
    vi.setSystemTime(Date.now() + 2000)
    expect(await kidsOf()).toEqual([next])
    await process().current()
    const { rows } = await database.pool.query<{ kid: string }>('select kid from signing_key')
    expect(rows).toEqual([{ kid: next }])
    vi.useRealTimers()
  })
})

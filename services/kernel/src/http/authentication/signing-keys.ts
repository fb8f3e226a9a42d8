import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
} from 'jose'
import type { Pool } from 'pg'
import type { Clock } from '../../clock.ts'
import { transaction } from '../../postgres/pool.ts'
import type { SecretBox } from '../../privacy/secret-box.ts'
import { tokenSeconds } from './session-token.ts'
import * as queries from './signing-key-queries.ts'

export interface SigningKey {
  /** Thumbprint of the public key (RFC 7638). */
  kid: string
  privateKey: CryptoKey
  /** Milliseconds since 1970. */
  signsFrom: number
}

export interface SigningKeys {
  /** The key that signs now; made where there is none. */
  current(): Promise<SigningKey>
  /** Public keys: those in use, the next one, and those whose tokens may still be under way. */
  published(): Promise<JSONWebKeySet>
}

const minuteMs = 60_000
/** As long as `createRemoteJWKSet` caches a key set. */
export const publishedBeforeMs = 10 * minuteMs
const publishedAfterMs = 10 * minuteMs + tokenSeconds * 1000
const signsForMs = 24 * 60 * minuteMs
/** Well below `publishedBeforeMs`: the next key is known in time. */
const cacheMs = minuteMs

const contextOf = (kid: string) => `signing key ${kid}`

/** Shared by the processes of identity; a key signs for a day. */
export const signingKeys = ({ pool, box, clock }: { pool: Pool; box: SecretBox; clock: Clock }): SigningKeys => {
  const now = () => Date.parse(clock.now())
  let cache: { keys: SigningKey[]; until: number } | undefined

  const makeKey = async () => {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true })
    const [publicJwk, privateJwk] = await Promise.all([exportJWK(publicKey), exportJWK(privateKey)])
    const kid = await calculateJwkThumbprint(publicJwk)
    return { kid, publicJwk, encrypted: box.encrypt(Buffer.from(JSON.stringify(privateJwk)), contextOf(kid)) }
  }

  /** Newest first. */
  const rotated = () =>
    transaction(pool, async (db) => {
      await queries.holdSigningKeys(db)
      const stored = await queries.readSigningKeys(db)
      const newest = stored[0]
      if (newest && newest.signsFrom.getTime() + signsForMs - publishedBeforeMs > now()) return stored
      // Nobody can know an earlier key: the first signs at once.
      const signsFrom = new Date(newest ? now() + publishedBeforeMs : now())
      const next = { ...(await makeKey()), signsFrom }
      await queries.addSigningKey(db, next)
      return [next, ...stored]
    })

  /** All but those that a successor replaced long ago. */
  const inUse = (stored: readonly queries.StoredKey[]) =>
    stored.filter((_, index) => {
      const successor = stored[index - 1]
      return !successor || successor.signsFrom.getTime() + publishedAfterMs > now()
    })

  const opened = async ({ kid, encrypted, signsFrom }: queries.StoredKey): Promise<SigningKey> => {
    const jwk: JWK = JSON.parse(box.decrypt(encrypted, contextOf(kid)).toString())
    const privateKey = await importJWK(jwk, 'EdDSA')
    if (privateKey instanceof Uint8Array) throw new Error(`the signing key ${kid} is no key pair`)
    return { kid, privateKey, signsFrom: signsFrom.getTime() }
  }

  const load = async () => {
    const stored = await rotated()
    const used = inUse(stored)
    const outdated = stored.filter((key) => !used.includes(key)).map(({ kid }) => kid)
    if (outdated.length > 0) await queries.deleteSigningKeys(pool, outdated)
    cache = { keys: await Promise.all(used.map(opened)), until: now() + cacheMs }
    return cache
  }

  let loading: ReturnType<typeof load> | undefined
  /** Many requests wait for one reading. */
  const loadOnce = () => {
    loading ??= load().finally(() => {
      loading = undefined
    })
    return loading
  }

  return {
    async current() {
      const fresh = cache && now() < cache.until && now() > cache.until - 2 * cacheMs ? cache : await loadOnce()
      const signing = fresh.keys.find(({ signsFrom }) => signsFrom <= now()) ?? fresh.keys.at(-1)
      if (!signing) throw new Error('there is no signing key')
      return signing
    },
    async published() {
      const keys = inUse(await rotated())
      return { keys: keys.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: 'EdDSA', use: 'sig' })) }
    },
  }
}

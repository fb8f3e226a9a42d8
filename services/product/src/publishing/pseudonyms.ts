import { createHmac } from 'node:crypto'
import { pseudonymSubject } from '@prosa/contracts/events/subjects'
import type { PublishDeps } from '@prosa/contracts/published/published-of'
import { lruMap } from '@prosa/kernel/lru-map'
import type { Ports } from '@prosa/kernel/ports'

type Pseudonym = PublishDeps['pseudonym']

export interface Pseudonyms {
  /** For events of these tenants. Use it within seconds: an erased tenant's key is gone. Makes missing keys. */
  of(tenants: Iterable<string>): Promise<Pseudonym>
}

const maxCached = 50_000

/** A UUID of version 8 (RFC 9562), which tables keep in 16 bytes. */
const uuidOf = (digest: string): string => {
  const variant = '89ab'[Number.parseInt(digest[16] ?? '0', 16) % 4]
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    variant + digest.slice(17, 20),
    digest.slice(20, 32),
  ].join('-')
}

/** docs/decisions/0071: not to be traced back, equal within a tenant, different for each tenant. */
export const pseudonyms = ({ subjectKeys, box }: Pick<Ports, 'subjectKeys' | 'box'>): Pseudonyms => {
  const known = lruMap<string, string>(maxCached)
  const cached = (key: string, make: () => string) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const made = uuidOf(make())
    known.set(key, made)
    return made
  }
  return {
    async of(tenants) {
      const subjects = [...new Set(tenants)].map(pseudonymSubject)
      const keys = await subjectKeys.toEncrypt(subjects)
      return (tenant, kind, id) => {
        if (tenant === null)
          return cached(`${kind} ${id}`, () => box.fingerprint(`${kind}\n${id}`, 'published pseudonym'))
        const key = keys.get(pseudonymSubject(tenant))
        if (!key) throw new Error('pseudonyms of a tenant that was not named')
        return cached(`${key.id} ${kind} ${id}`, () =>
          createHmac('sha256', key.key).update(`${kind}\n${id}`).digest('hex'),
        )
      }
    },
  }
}

import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Subject } from '@prosa/contracts/events/subjects'
import { expect, it } from 'vitest'
import { snapshotEncryption } from './snapshot-encryption.ts'

it('encrypts the entries of a long stream in turns, so that others are answered meanwhile', async () => {
  const key = { id: 'key', subject: 'contact:1', key: randomBytes(32) }
  const keys = {
    current: async (subjects: readonly Subject[]) => new Map(subjects.map((subject) => [subject, key])),
    toDecrypt: async () => new Map([[key.id, key]]),
  }
  const { encryptEntries, decryptEntries } = snapshotEncryption(keys, { fingerprint: (value) => value })
  const of = { stream: 'chat-1', decider: 'chat', version: 1 }
  const saving = {
    decider: 'chat',
    version: 1,
    subject: () => 'contact:1' as const,
    entries: { keysOf: () => [], personal: () => 'stream' as const },
  }
  const entries = Array.from({ length: 10_000 }, (_, index): [string, { text: string }] => [
    `${index}`,
    { text: `oi ${index}` },
  ])

  let isOver = false
  let turns = 0
  const others = (async () => {
    for (; !isOver; turns++) await setImmediate()
  })()
  const rows = await encryptEntries(of, saving, 'lineage', 'owner', entries)
  isOver = true
  await others
  expect(turns).toBeGreaterThan(17)
  expect([...(await decryptEntries('lineage', rows))]).toEqual(entries)
})

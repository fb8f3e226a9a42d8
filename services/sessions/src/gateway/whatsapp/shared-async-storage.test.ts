import { AsyncLocalStorage, executionAsyncResource } from 'node:async_hooks'
import { addTransactionCapability, type SignalKeyStoreWithTransaction } from '@whiskeysockets/baileys'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { sharingAsyncStorage, storagesAreInPromises } from './shared-async-storage.ts'

const keysOfBaileys = (): SignalKeyStoreWithTransaction =>
  addTransactionCapability({ get: async () => ({}), set: async () => undefined }, pino({ level: 'silent' }), {
    maxCommitRetries: 1,
    delayBetweenTriesMs: 0,
  })

const carried = async () => {
  await null
  return Object.getOwnPropertySymbols(executionAsyncResource()).length
}

const inside = (keys: readonly SignalKeyStoreWithTransaction[]): Promise<number> => {
  const [first, ...others] = keys
  return first ? first.transaction(() => inside(others), 'name') : carried()
}

it('lets fifty lines of Baileys cost a promise as much as one line', async () => {
  const lines = Array.from({ length: 50 }, () => sharingAsyncStorage(keysOfBaileys))
  const withOne = await inside(lines.slice(0, 1))
  expect(await inside(lines)).toBe(withOne)
})

it('keeps the transactions of two lines apart', async () => {
  const [one, other] = [sharingAsyncStorage(keysOfBaileys), sharingAsyncStorage(keysOfBaileys)]
  await one.transaction(async () => {
    expect([one.isInTransaction(), other.isInTransaction()]).toEqual([true, false])
    await other.transaction(async () => {
      await null
      expect([one.isInTransaction(), other.isInTransaction()]).toEqual([true, true])
    }, 'name')
    expect([one.isInTransaction(), other.isInTransaction()]).toEqual([true, false])
  }, 'name')
  expect([one.isInTransaction(), other.isInTransaction()]).toEqual([false, false])
})

it.runIf(storagesAreInPromises)('changes nobody else: what is made outside is of the ordinary kind', () => {
  const made = sharingAsyncStorage(() => new AsyncLocalStorage<string>())
  const ordinary = new AsyncLocalStorage<string>()
  expect(Object.getPrototypeOf(ordinary)).toBe(AsyncLocalStorage.prototype)
  expect(Object.getPrototypeOf(made)).not.toBe(AsyncLocalStorage.prototype)
  expect(() =>
    sharingAsyncStorage(() => {
      throw new Error('no socket')
    }),
  ).toThrow('no socket')
  expect(Object.getPrototypeOf(new AsyncLocalStorage())).toBe(AsyncLocalStorage.prototype)
})

it('gives the store inside, the outer one again afterwards, and none to who leaves it', () => {
  const storage = sharingAsyncStorage(() => new AsyncLocalStorage<string>())
  const seen = storage.run('outer', () => [
    storage.getStore(),
    storage.run('inner', () => storage.getStore()),
    storage.exit(() => storage.getStore()),
    storage.getStore(),
  ])
  expect(seen).toEqual(['outer', 'inner', undefined, 'outer'])
  expect(storage.getStore()).toBeUndefined()
})

/** Shared storage patches Node, so it must go once it is not needed. */
it('is done exactly where each line would leave something in every promise, also when it is over', async () => {
  const before = await inside([])
  const lines = Array.from({ length: 10 }, keysOfBaileys)
  await inside(lines)
  const left = (await inside([])) - before
  expect(
    left,
    'this Node, or Baileys, has changed: once no version of `engines` keeps storages in promises, delete shared-async-storage.ts (docs/decisions/0019)',
  ).toBe(storagesAreInPromises ? lines.length : 0)
})

import { AsyncLocalStorage, executionAsyncResource } from 'node:async_hooks'
import { addTransactionCapability } from '@whiskeysockets/baileys'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { withForgettableStorages } from './forgettable-storages.ts'

const keysOfBaileys = () =>
  addTransactionCapability({ get: async () => ({}), set: async () => undefined }, pino({ level: 'silent' }), {
    maxCommitRetries: 1,
    delayBetweenTriesMs: 0,
  })

const carried = async () => {
  await null
  return Object.getOwnPropertySymbols(executionAsyncResource()).length
}

it('leaves nothing of the storages of Baileys in what the process does after they were forgotten', async () => {
  const own = new AsyncLocalStorage<string>()
  const usual = await own.run('own', carried)
  const lines = Array.from({ length: 10 }, () => withForgettableStorages(keysOfBaileys))
  for (const { made } of lines) await made.transaction(async () => undefined, 'name')
  const [first] = lines
  expect(await first?.made.transaction(carried, 'name')).toBeGreaterThanOrEqual(usual + 10)
  for (const { forget } of lines) forget()
  expect(await own.run('own', carried)).toBe(usual)
  own.disable()
})

it('changes nobody else: what is made outside is of the ordinary kind', () => {
  withForgettableStorages(() => new AsyncLocalStorage())
  expect(() =>
    withForgettableStorages(() => {
      throw new Error('no socket')
    }),
  ).toThrow('no socket')
  expect(Object.getPrototypeOf(new AsyncLocalStorage())).toBe(AsyncLocalStorage.prototype)
})

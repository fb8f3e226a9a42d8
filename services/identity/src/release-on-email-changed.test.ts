import { StoreUnavailable } from '@prosa/kernel/async/reachability'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import { until } from '@prosa/kernel/testing/until'
import { expect, it, onTestFinished } from 'vitest'
import { marina, testIdentity } from './testing/test-identity.ts'

it('an address that could not be released is released when it is tried again, and free for others', async () => {
  const log = memoryEventStore()
  let failures = 0
  let isFailing = false
  const prosa = await testIdentity(
    {},
    {
      store: {
        ...log,
        append: (stream, expected, events) => {
          if (!isFailing || !events.some(({ type }) => type === 'EmailReleased'))
            return log.append(stream, expected, events)
          failures += 1
          return Promise.reject(new StoreUnavailable('the log is away'))
        },
      },
    },
  )
  onTestFinished(() => prosa.stop())
  const former = 'deixado@example.com'
  const { cookie } = await prosa.register({ email: former })
  isFailing = true
  const profile = { firstName: 'Marina', lastName: 'Alves', email: 'novo@example.com' }
  expect((await prosa.put('user', { ...profile, currentPassword: marina.password }, cookie)).status).toBe(200)
  await until(() => failures > 0)
  expect((await prosa.post('register', { ...profile, email: former, password: 'girafa' })).status).toBe(409)
  isFailing = false
  await until(
    async () => (await prosa.post('register', { ...profile, email: former, password: 'girafa' })).status === 201,
  )
})

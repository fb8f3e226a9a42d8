import { expect, it } from 'vitest'
import { planObstacle } from './plan-obstacle.ts'

const usage = { access: 'open', mustConfirmEmail: false, messages: { used: 9, limit: 10 } } as const
const full = { ...usage, messages: { used: 10, limit: 10 } }

it('stops messages beyond the plan, and none within it', () => {
  expect(planObstacle(usage)).toBeUndefined()
  expect(planObstacle({ ...full, messages: { used: 99, limit: null } })).toBeUndefined()
  expect(planObstacle(full)).toBe('no_message_left')
})

it('lets a message that was counted be retried', () => expect(planObstacle(full, false)).toBeUndefined())

it('names the end of access first, then the address', () => {
  expect(planObstacle({ ...full, mustConfirmEmail: true })).toBe('email_not_confirmed')
  expect(planObstacle({ ...full, mustConfirmEmail: true, access: 'ended' })).toBe('access_ended')
})

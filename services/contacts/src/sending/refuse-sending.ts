import type { Usage } from '@prosa/contracts/http/accounts/usage'
import { Refused, refuse } from '@prosa/kernel/http/problem'
import type { PlanObstacle } from '@prosa/product/entitlements/plan-obstacle'
import type { sendingPolicy } from './sending-policy.ts'

type Policy = ReturnType<typeof sendingPolicy>
type Obstacle = NonNullable<Awaited<ReturnType<Policy['ofAttendant' | 'ofProgram']>>['obstacle']> | PlanObstacle

export const refuseSending = (obstacle: Obstacle, { messages }: Usage): Refused => {
  if (obstacle === 'access_ended') return refuse('subscription_ended')
  if (obstacle !== 'no_message_left') return refuse(obstacle)
  return new Refused('message_limit_reached', undefined, undefined, messages.limit ?? undefined)
}

import type { ConsumerStatuses } from '../engine/consumer-status.ts'

/** For `/health/ready`: what is wrong, and what is being rebuilt, which is not wrong. */
export const healthOf = (statuses: ConsumerStatuses): Record<string, unknown> => {
  const health: Record<string, unknown> = {}
  for (const [name, { state, position, progress, trouble }] of statuses) {
    if (progress) health[`rebuilding ${name}`] = { ...progress }
    if (trouble) health[`projection ${name}`] = { state, ...trouble, position }
  }
  return health
}

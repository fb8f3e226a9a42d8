import type { ConsumerStatuses } from '../engine/consumer-status.ts'

/** For `/health/ready`: a rebuild is listed, but is no failure. */
export const healthOf = (statuses: ConsumerStatuses): Record<string, unknown> => {
  const health: Record<string, unknown> = {}
  for (const [name, { state, position, progress, trouble }] of statuses) {
    if (progress) health[`rebuilding ${name}`] = { ...progress }
    if (trouble) health[`projection ${name}`] = { state, ...trouble, position }
  }
  return health
}

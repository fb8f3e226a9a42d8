import type { Redis } from '@prosa/kernel/redis/redis'
import { createAdapter } from '@socket.io/redis-adapter'

/** The adapter ignores failures of what it publishes, which would end the process. */
const harmless = (redis: Redis) => {
  const publisher = redis.subscriber()
  const publish = (channel: string, message: string | Buffer) => redis.ask((client) => client.publish(channel, message))
  return Object.assign(publisher, { publish })
}

/**
 * Reaches the sockets of all processes: for ended sessions only. Events come from the log, so each process emits them with `local`, else
 * every browser would get each once for each process.
 */
export const sharedAdapter = (redis: Redis) => createAdapter(harmless(redis), redis.subscriber())

import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** Requests `/health/live` every 10 ms from a process of its own. */
const everyMs = 10

export interface Health {
  /** Includes the request that is still pending. */
  maxMs: number
  answers: number
}

const url = `${process.argv[2]}/health/live`
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let maxMs = 0
let answers = 0
let askedAt: number | undefined

const ask = () =>
  new Promise<void>((resolve) => {
    const request = get(url, { agent }, (reply) => reply.resume().once('end', resolve))
    request.once('error', () => resolve())
  })

process.on('message', () => {
  const outstandingMs = askedAt === undefined ? 0 : performance.now() - askedAt
  process.send?.({ maxMs: Math.max(maxMs, outstandingMs), answers } satisfies Health)
  maxMs = 0
  answers = 0
})
process.once('disconnect', () => process.exit(0))
process.send?.('ready')

for (;;) {
  askedAt = performance.now()
  await ask()
  const tookMs = performance.now() - askedAt
  askedAt = undefined
  maxMs = Math.max(maxMs, tookMs)
  answers += 1
  await delay(Math.max(0, everyMs - tookMs))
}

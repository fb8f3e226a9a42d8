import type { FastifyReply } from 'fastify'
import type { Simulator } from './simulator.ts'

/** Changes closer together than this are told once. */
const BREATH_MS = 50
/** Keeps proxies from closing a silent stream. */
const HEARTBEAT_MS = 25_000

/** Turns the reply into an event stream: one `change` event soon after anything changed. */
export function streamChanges(simulator: Simulator, reply: FastifyReply) {
  const { raw } = reply.hijack()
  raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', connection: 'keep-alive' })
  raw.write('retry: 1000\n\n')
  let pending: NodeJS.Timeout | undefined
  const tell = () => {
    pending ??= setTimeout(() => {
      pending = undefined
      raw.write('event: change\ndata: {}\n\n')
    }, BREATH_MS)
  }
  const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS)
  const end = () => raw.end()
  simulator.on('change', tell)
  simulator.on('closing', end)
  raw.on('close', () => {
    clearTimeout(pending)
    clearInterval(heartbeat)
    simulator.off('change', tell)
    simulator.off('closing', end)
  })
}

import type { FastifyReply } from 'fastify'
import type { Simulator } from './simulator.ts'
import type { MessageNews } from './simulator-contract.ts'

/** Changes closer together than this are told once. */
const BREATH_MS = 50
/** Keeps proxies from closing a silent stream. */
const HEARTBEAT_MS = 25_000

export interface StreamOptions {
  /** Instead one `message` event (`MessageNews`) for everything that reaches a phone from somebody else. */
  messages?: boolean
}

/** Turns the reply into an event stream: one `change` event soon after anything changed. */
export function streamChanges(simulator: Simulator, reply: FastifyReply, { messages = false }: StreamOptions = {}) {
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
  const pass = (news: MessageNews) => raw.write(`event: message\ndata: ${JSON.stringify(news)}\n\n`)
  const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS)
  const end = () => raw.end()
  if (messages) simulator.on('message', pass)
  else simulator.on('change', tell)
  simulator.on('closing', end)
  raw.on('close', () => {
    clearTimeout(pending)
    clearInterval(heartbeat)
    simulator.off('change', tell)
    simulator.off('message', pass)
    simulator.off('closing', end)
  })
}

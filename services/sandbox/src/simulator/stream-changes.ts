import type { MessageNotice } from '@prosa/contracts/http/simulator'
import type { FastifyReply } from 'fastify'
import type { Simulator } from './simulator.ts'

/** Debounce of changes. */
const BREATH_MS = 50
/** Keeps proxies from closing an idle stream. */
const HEARTBEAT_MS = 25_000

export interface StreamOptions {
  /** Sends `message` events (`MessageNotice`) instead of `change`. */
  messages?: boolean
}

export function streamChanges(simulator: Simulator, reply: FastifyReply, { messages = false }: StreamOptions = {}) {
  const { raw } = reply.hijack()
  raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', connection: 'keep-alive' })
  raw.write('retry: 1000\n\n')
  let pending: NodeJS.Timeout | undefined
  const notify = () => {
    pending ??= setTimeout(() => {
      pending = undefined
      raw.write('event: change\ndata: {}\n\n')
    }, BREATH_MS)
  }
  const pass = (notice: MessageNotice) => raw.write(`event: message\ndata: ${JSON.stringify(notice)}\n\n`)
  const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS)
  const end = () => raw.end()
  if (messages) simulator.on('message', pass)
  else simulator.on('change', notify)
  simulator.on('closing', end)
  raw.on('close', () => {
    clearTimeout(pending)
    clearInterval(heartbeat)
    simulator.off('change', notify)
    simulator.off('message', pass)
    simulator.off('closing', end)
  })
}

import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  id: string
  /** Of the published event, or the test. */
  event: { type: string; subject?: string; revision?: number; tenant?: string; data: Record<string, unknown> }
  body: string
  headers: Record<string, string>
}

/** `never`: takes the request and does not answer. */
type Answer = number | 'never' | ((response: ServerResponse) => void)

export interface Receiver {
  url: string
  received: Received[]
  /** For what comes from now on; by default 200. */
  answer(answer: Answer): void
  answerEach(answerTo: (received: Received) => Answer): void
  close(): Promise<void>
}

/** As a subscriber's program on this machine. */
export const startReceiver = async (): Promise<Receiver> => {
  const received: Received[] = []
  let answerTo: (one: Received) => Answer = () => 200
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces).toString()
    const headers = request.headers as Record<string, string>
    const one = { id: headers['webhook-id'] ?? '', event: JSON.parse(body), body, headers }
    received.push(one)
    const answer = answerTo(one)
    if (typeof answer === 'function') answer(response)
    else if (answer !== 'never') response.writeHead(answer).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prosa`,
    received,
    answer(answer) {
      answerTo = () => answer
    },
    answerEach(next) {
      answerTo = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** As a receiver checks it, from the documentation alone: one of the signatures fits. */
export const isSignedWith = (secret: string, { id, body, headers }: Received): boolean => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const content = `${id}.${headers['webhook-timestamp']}.${body}`
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  return (headers['webhook-signature'] ?? '').split(' ').includes(expected)
}

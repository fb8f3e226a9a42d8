import type { Address, PathParameters, ReplyOf } from '@prosa/contracts/http/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Simulator } from './simulator.ts'

interface RequestParts<A extends Address> {
  Params: PathParameters<A>
}

type Handler<A extends Address> = (
  request: FastifyRequest<RequestParts<A>>,
  reply: FastifyReply,
) => ReplyOf<A> | FastifyReply | Promise<ReplyOf<A> | FastifyReply>

interface Options {
  bodyLimit?: number
}

/**
 * Replies to changes are sent once durable. A handler that sends by itself returns the reply. Handlers parse the input themselves, so that
 * a missing phone is reported before an invalid message.
 */
export const simulatorRoute = <const A extends Address>(
  app: FastifyInstance,
  simulator: Simulator,
  { method, path, replies }: A,
  handler: Handler<A>,
  options: Options = {},
): void => {
  const [status = '200'] = Object.keys(replies)
  app.route<RequestParts<A>>({
    ...options,
    method,
    url: path,
    async handler(request, reply) {
      const answer = await handler(request, reply)
      if (reply.sent) return reply
      if (method !== 'GET') await simulator.saved()
      return reply.code(Number(status)).send(answer)
    },
  })
}

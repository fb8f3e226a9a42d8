import type { Position } from '@prosa/kernel/event-store/port'
import { refuse } from '@prosa/kernel/http/problem'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { nameUnbuilt } from '../reading/read-your-writes.ts'
import type { reading } from '../reading/reading.ts'

type Hooks = ReturnType<typeof reading>

const isOfPast = ({ query }: FastifyRequest) => (query as { em?: unknown }).em !== undefined

/** Hooks of a GET that also answers `em`. The past is not polled: it waits for nothing, and has no tag. */
export const readingThen = (
  { readModels: gate }: Pick<Ports, 'readModels'>,
  now: Hooks,
  readModels: readonly string[],
): Hooks => {
  const name = nameUnbuilt(gate, readModels)
  const unlessPast =
    <Hook extends (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>>(hook: Hook) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
      isOfPast(request) ? undefined : hook(request, reply)
  return {
    preHandler: [
      async (request: FastifyRequest, reply: FastifyReply) => {
        if (isOfPast(request)) await name(request, reply)
      },
      ...now.preHandler.map(unlessPast),
    ],
    onSend: now.onSend,
  } as Hooks
}

const timeoutMs = 2000

/** Refuses while the read model has not reached the moment, as it would miss what happened just before. */
export const requireReached = async (
  { readModels: gate }: Pick<Ports, 'readModels'>,
  readModel: string,
  moment: Position,
): Promise<void> => {
  if (!(await gate.reached([readModel], moment, timeoutMs))) throw refuse('past_not_ready')
}

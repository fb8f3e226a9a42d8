import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { type Refused, refuse } from '@prosa/kernel/http/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FlowCommand } from '../flow.ts'
import type { FlowDeps } from '../flow-deps.ts'
import { flowProblems } from '../flow-problems.ts'

const maxProblemsNamed = 20

export const refuseErrors = (problems: readonly FlowProblem[]): Refused =>
  refuse(
    'flow_has_errors',
    problems
      .filter(({ severity }) => severity === 'error')
      .slice(0, maxProblemsNamed)
      .map(({ nodeId, sentence }) => ({ field: nodeId ?? '', message: sentence })),
  )

export const commandFlow =
  ({ flows, knownFlows }: FlowDeps) =>
  async (request: FastifyRequest, reply: FastifyReply, id: string, command: FlowCommand) => {
    const outcome = await flows(id, command, commandContext(request))
    if (!outcome.ok && command.type === 'PublishFlow' && outcome.rejected === 'flow_has_errors')
      throw refuseErrors(flowProblems(command.data.document))
    if (!outcome.ok) throw refuse(outcome.rejected)
    knownFlows.note(request.user.id, outcome.position)
    replyPosition(reply, outcome.position)
    return outcome
  }

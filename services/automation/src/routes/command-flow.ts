import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { type Refused, refuse } from '@prosa/kernel/http/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FlowCommand } from '../flow.ts'
import type { FlowGround } from '../flow-ground.ts'
import { flowProblems } from '../flow-problems.ts'

const maxProblemsNamed = 20

/** The refusal to publish, with the errors among these problems. */
export const refuseErrors = (problems: readonly FlowProblem[]): Refused =>
  refuse(
    'flow_has_errors',
    problems
      .filter(({ severity }) => severity === 'error')
      .slice(0, maxProblemsNamed)
      .map(({ nodeId, sentence }) => ({ field: nodeId ?? '', message: sentence })),
  )

/** Gives a request's command to a flow of the user's; refuses in the words of what the decider refused. */
export const commandFlow =
  ({ flows, places }: FlowGround) =>
  async (request: FastifyRequest, reply: FastifyReply, id: string, command: FlowCommand) => {
    const outcome = await flows(id, command, commandContext(request))
    if (!outcome.ok && command.type === 'PublishFlow' && outcome.rejected === 'flow_has_errors')
      throw refuseErrors(flowProblems(command.data.document))
    if (!outcome.ok) throw refuse(outcome.rejected)
    places.note(request.user.id, outcome.position)
    replyPosition(reply, outcome.position)
    return outcome
  }

import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { type Refused, refuse } from '@prosa/kernel/http/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Flow, FlowCommand } from '../flow.ts'
import type { FlowGround } from '../flow-ground.ts'
import { flowProblems } from '../flow-problems.ts'

const mostProblemsNamed = 20

/** The refusal to publish, with the errors among these problems. */
export const refuseErrors = (problems: readonly FlowProblem[]): Refused =>
  refuse(
    'flow_has_errors',
    problems
      .filter(({ severity }) => severity === 'error')
      .slice(0, mostProblemsNamed)
      .map(({ nodeId, sentence }) => ({ field: nodeId ?? '', message: sentence })),
  )

/** Gives a request's command to a flow of the user's; refuses in the words of what the decider refused. */
export const commandFlow =
  ({ flows, places }: FlowGround) =>
  async (request: FastifyRequest, reply: FastifyReply, id: string, command: FlowCommand): Promise<Flow> => {
    const owner = request.user.id
    const outcome = await flows(id, command, commandContext(request))
    if (!outcome.ok && outcome.rejected === 'flow_has_errors')
      throw refuseErrors(flowProblems((await flows.load(id, owner)).document))
    if (!outcome.ok) throw refuse(outcome.rejected)
    places.note(owner, outcome.position)
    replyPosition(reply, outcome.position)
    return outcome.state
  }

/** The user's own flow as it stands; refuses ids of nobody's, of others' and of what was deleted alike. */
export const requireFlow = async ({ flows }: FlowGround, owner: string, id: string): Promise<Flow> => {
  const flow = await flows.load(id, owner)
  if (flow.status !== 'standing') throw refuse('flow_not_found')
  return flow
}

/** A flow may be put into a folder of the user's that stands, or into none. */
export const requireFolder = async (
  { folders }: FlowGround,
  owner: string,
  folderId: string | null | undefined,
): Promise<void> => {
  if (folderId === null || folderId === undefined) return
  if ((await folders.load(folderId, owner)).status !== 'standing') throw refuse('flow_folder_not_found')
}

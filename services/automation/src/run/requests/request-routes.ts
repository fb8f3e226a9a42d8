import { secretsOfRequest } from '@prosa/contracts/flows/request-template'
import { flowRequestEndpoints } from '@prosa/contracts/http/flow-runs'
import { shownAnswers } from '@prosa/contracts/values/answers/read-answer'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import type { RateLimit } from '@prosa/kernel/http/limits/rate-limits'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { FlowHandlers } from '../../flow-handlers.ts'
import type { EncryptedSecrets } from '../../secrets/encrypted-secrets.ts'
import type { FlowSecretCommand } from '../../secrets/flow-secrets.ts'
import { type CarryOutDeps, carryOut } from './carry-out.ts'
import type { SendRequestsDeps } from './send-requests.ts'

const maxShownLength = 20_000
/** Each sends something, or leaves an event. */
const limits: readonly RateLimit[] = [
  { per: 'user', max: 120, windowSeconds: 60 * 60, counts: 'requests', beyond: 'refuse' },
]

interface Deps extends Pick<CarryOutDeps, 'send' | 'spend'>, Pick<SendRequestsDeps, 'secretsOf'> {
  secrets: FlowHandlers['secrets']
  encrypted: EncryptedSecrets
}

export const requestRoutes =
  ({ send, spend, secretsOf, secrets, encrypted }: Deps): FastifyPluginAsync =>
  async (app) => {
    const config = { limits }
    const run = async (request: FastifyRequest, reply: FastifyReply, command: FlowSecretCommand) => {
      const outcome = await secrets(request.user.id, command, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
    }

    route(app, flowRequestEndpoints.test, { config }, async ({ body: { request, values }, user, command }) => {
      const wanted = {
        ...{ tenant: user.id, request, values, key: command.id },
        secrets: await secretsOf(user.id, secretsOfRequest(request)),
      }
      const reply = await carryOut({ send, spend, pauses: [] }, wanted)
      if (!reply) throw new Error('a test ended without a reply')
      const { body, types, values: stored, ...rest } = reply
      const shown = shownAnswers(stored, types)
      return { ...rest, values: shown, body: body.slice(0, maxShownLength), isCut: body.length > maxShownLength }
    })

    route(app, flowRequestEndpoints.secrets, async ({ user }) =>
      [...(await secrets.load(user.id, user.id)).keys()].sort().map((name) => ({ name })),
    )
    route(app, flowRequestEndpoints.storeSecret, { config }, async (request, reply) => {
      const { name } = request.params
      const data = { name, ...(await encrypted.encrypt(request.user.id, name, request.body.value)) }
      await run(request, reply, { type: 'StoreFlowSecret', data })
      return { name }
    })
    route(app, flowRequestEndpoints.removeSecret, { config }, async (request, reply) => {
      const { name } = request.params
      await run(request, reply, { type: 'RemoveFlowSecret', data: { name } })
      return { name }
    })
  }

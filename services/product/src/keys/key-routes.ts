import { keyEndpoints } from '@prosa/contracts/http/keys'
import type { KeyReach, KeyScope } from '@prosa/contracts/values/key'
import { later } from '@prosa/kernel/clock'
import { deriveId } from '@prosa/kernel/derive-id'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import type { RateLimit } from '@prosa/kernel/http/limits/rate-limits'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { apiKeys, keyStreamId } from './api-keys.ts'
import { secretHashOf, writeKey } from './key-text.ts'

const keyLimits: readonly RateLimit[] = [
  { per: 'user', max: 20, windowSeconds: 60 * 60, counts: 'requests', beyond: 'refuse' },
]
const dayMs = 24 * 60 * 60 * 1000

interface Wish {
  name: string
  scopes: KeyScope[]
  expiresInDays: number
  reach: KeyReach
  withPersonal: boolean
}

export const keyRoutes =
  (ports: Pick<Ports, 'store' | 'codec' | 'clock' | 'roles' | 'authenticator' | 'box'>): FastifyPluginAsync =>
  async (app) => {
    const { clock, roles, box } = ports
    const keys = apiKeys(ports)
    const config = { limits: keyLimits }

    const create = async (request: FastifyRequest, reply: FastifyReply, { expiresInDays, ...wish }: Wish) => {
      const userId = request.user.id
      const keyId = deriveId(request.command.id, 'api key')
      // Derived, so that a repeated command replies with the same secret; only its hash is stored.
      const secret = box.fingerprint(`${userId} ${keyId}`, 'api key')
      const expiresAt = later(clock.now(), expiresInDays * dayMs)
      const outcome = await keys.handle(
        keyStreamId(userId, keyId),
        { type: 'CreateApiKey', data: { ...wish, secretHash: secretHashOf(secret), expiresAt } },
        commandContext(request),
      )
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return reply.code(201).send({ id: keyId, key: writeKey({ userId, keyId, secret }) })
    }

    route(app, keyEndpoints.create, { config }, (request, reply) =>
      create(request, reply, { ...request.body, reach: 'tenant' }),
    )
    route(app, keyEndpoints.createForAnalyst, { config, roles }, (request, reply) =>
      create(request, reply, { ...request.body, reach: 'platform', withPersonal: false }),
    )
    route(app, keyEndpoints.revoke, { config }, async (request, reply) => {
      const { id } = request.params
      const stream = keyStreamId(request.user.id, id)
      const outcome = await keys.handle(stream, { type: 'RevokeApiKey', data: {} }, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return { id }
    })
  }

import { setTimeout as delay } from 'node:timers/promises'
import { authEndpoints } from '@prosa/contracts/http/accounts/auth'
import type { TermsVersion } from '@prosa/contracts/values/terms'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { holdsUntil, reading } from '../reading/reading.ts'
import { type FoundUser, findUser } from './queries.ts'

const timeoutMs = 2000
const betweenLooksMs = 25

/** A reactor starts the trial moments after registration: polls for it. */
const findSettledUser = async ({ pool, clock }: Ports, id: string): Promise<FoundUser | undefined> => {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const found = await findUser(pool, id, clock.now())
    if (found?.subscriptionEnd || performance.now() > deadline) return found
    await delay(betweenLooksMs)
  }
}

export const accountRoutes =
  (ports: Ports, version: TermsVersion): FastifyPluginAsync =>
  async (app) => {
    route(app, authEndpoints.terms, async () => ({ version }))

    route(app, authEndpoints.user, reading(ports, ['account', 'company']), async (request, reply) => {
      const found = await findSettledUser(ports, request.user.id)
      // A session implies an account: the read model is behind.
      if (!found) throw refuse('unavailable')
      if (found.subscriptionStatus !== 'expired' && found.subscriptionEnd) holdsUntil(reply, found.subscriptionEnd)
      const { acceptedTerms: accepted, ...user } = found
      return { ...user, terms: { version, accepted } }
    })
  }

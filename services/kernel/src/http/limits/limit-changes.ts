import type { Endpoint } from '@prosa/contracts/http/endpoint'
import type { FastifyInstance } from 'fastify'
import type { Spending } from '../../spending/spending.ts'
import { Refused } from '../problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler counts the stored bytes under another budget. */
    countsBodyItself?: true
  }
}

/** Exempt: freeing space, leaving, and administration. */
const isCounted = (endpoint: Endpoint | undefined): endpoint is Endpoint =>
  endpoint !== undefined &&
  endpoint.method !== 'GET' &&
  endpoint.method !== 'DELETE' &&
  !endpoint.open &&
  !endpoint.changesNothing &&
  !endpoint.isBeyondBudgets &&
  endpoint.role === undefined

export const spendChanges = async (spending: Spending, tenant: string, count: number): Promise<void> => {
  if (await spending.spendToday(tenant, 'changesPerDay', count)) return
  throw new Refused('day_used_up', undefined, spending.secondsUntilTomorrow())
}

/** Counts commands and body bytes per day. */
export const limitChanges = (app: FastifyInstance, { spending }: { spending: Spending }): void => {
  app.addHook('preHandler', async ({ routeOptions, signedIn, bodyBytes }) => {
    const { endpoint, countsBodyItself } = routeOptions.config
    if (!signedIn || !isCounted(endpoint)) return
    await spendChanges(spending, signedIn.id, 1)
    if (countsBodyItself || bodyBytes === 0) return
    if (await spending.spendToday(signedIn.id, 'changedBytesPerDay', bodyBytes)) return
    throw new Refused('day_used_up', undefined, spending.secondsUntilTomorrow())
  })
}

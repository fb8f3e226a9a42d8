import type { EventOf } from '@prosa/contracts/events/all-events'
import type { tenantReadingEvents } from '@prosa/contracts/events/operations'
import type { Instant } from '@prosa/contracts/values/instant'
import type { FastifyRequest } from 'fastify'
import { deriveId } from '../derive-id.ts'
import { commandHandler } from '../domain/command-handler.ts'
import type { Decider } from '../domain/decider.ts'
import { refuse } from '../http/problem.ts'
import type { Ports } from '../ports.ts'

export type TenantReadingEvent = EventOf<typeof tenantReadingEvents>

/** What of all accounts an administrator may read. */
export type TenantList = TenantReadingEvent['data']['list']

type TenantReadingCommand = { type: 'ReadTenants'; data: { list: TenantList; at: Instant } }

/** Somebody who looks at a list for a while reads it many times: so long, it is one fact. */
const oneReadingMilliseconds = 15 * 60 * 1000

/** When one administrator last read one list: the stream `tenantReading-<user id>:<list>`. */
export const tenantReading: Decider<
  TenantReadingCommand,
  TenantReadingEvent,
  { lastAt: Instant | null },
  'unexpected'
> = {
  initial: { lastAt: null },
  decide: {
    ReadTenants: ({ lastAt }, { list, at }) =>
      lastAt !== null && Date.parse(at) - Date.parse(lastAt) < oneReadingMilliseconds
        ? []
        : [{ type: 'TenantsRead', data: { list, at } }],
  },
  evolve: { TenantsRead: (_, { at }) => ({ lastAt: at }) },
}

/**
 * Hooks for GETs of what belongs to tenants: that this administrator reads this list is in the log before anything of it is
 * answered, and where it cannot be stored, nothing is. `const reading = recordTenantReading(ports)`, then `preHandler: reading('contacts')`.
 */
export const recordTenantReading = ({ store, codec, clock }: Pick<Ports, 'store' | 'codec' | 'clock'>) => {
  const readings = commandHandler({
    store,
    codec,
    clock,
    category: 'tenantReading',
    decider: tenantReading,
    foreign: 'unexpected',
  })
  return (list: TenantList) => async (request: FastifyRequest) => {
    const outcome = await readings(
      `${request.user.id}:${list}`,
      { type: 'ReadTenants', data: { list, at: clock.now() } },
      {
        commandId: deriveId('tenants read', request.id, list),
        actor: { kind: 'admin', id: request.user.id },
        owner: null,
        causationId: request.id,
        correlationId: request.id,
      },
    )
    if (!outcome.ok) throw refuse(outcome.rejected)
  }
}

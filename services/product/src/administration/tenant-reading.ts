import type { EventOf } from '@prosa/contracts/events/all-events'
import type { tenantReadingEvents } from '@prosa/contracts/events/operations'
import { streamName } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { ReadingPurpose } from '@prosa/contracts/values/reading'
import { later } from '@prosa/kernel/clock'
import { deriveId } from '@prosa/kernel/derive-id'
import { type CommandContext, commandHandler } from '@prosa/kernel/domain/command-handler'
import type { Decider, Reader } from '@prosa/kernel/domain/decider'
import { emptySet, type GrowingSet } from '@prosa/kernel/domain/growing-set'
import { readFold } from '@prosa/kernel/domain/read-fold'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { PurposeNeeded, refuse } from '@prosa/kernel/http/problem'
import { noteRecorded, type Reading, type ReadingRecorder } from '@prosa/kernel/http/reading/recorded-readings'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyRequest } from 'fastify'

export type TenantReadingEvent = EventOf<typeof tenantReadingEvents>

type Read = Pick<Reading, 'what' | 'record'>

type TenantReadingCommand =
  | {
      type: 'StateReadingPurpose'
      data: { tenantId: string | null; purposeId: string; purpose: ReadingPurpose; at: Instant }
    }
  | { type: 'ReadPersonalData'; data: Read & { tenantId: string | null; at: Instant } }

interface State {
  purpose: { id: string; statedAt: Instant } | null
  /** Read for that purpose. */
  read: GrowingSet
}

const purposeMs = 60 * 60 * 1000

const keyOf = ({ what, record }: Read) => `${what} ${record ?? ''}`

const currentPurpose = ({ purpose }: State, at: Instant) =>
  purpose && Date.parse(at) - Date.parse(purpose.statedAt) < purposeMs ? purpose : null

const isActiveAccount: Reader<StoredOf<'UserRegistered' | 'UserErased'>, boolean> = {
  initial: false,
  evolve: { UserRegistered: () => true, UserErased: () => false },
}

/** A stream per administrator, tenant (or all) and day is short enough to fold per request. */
export const tenantReading: Decider<TenantReadingCommand, TenantReadingEvent, State, 'purpose_needed' | 'unexpected'> =
  {
    initial: { purpose: null, read: emptySet },
    decide: {
      StateReadingPurpose: (state, stated) =>
        currentPurpose(state, stated.at) ? [] : [{ type: 'ReadingPurposeStated', data: stated }],
      ReadPersonalData: (state, { at, ...read }) => {
        const purpose = currentPurpose(state, at)
        if (!purpose) return { rejected: 'purpose_needed' }
        if (state.read.has(keyOf(read))) return []
        return [{ type: 'PersonalDataRead', data: { ...read, purposeId: purpose.id, at } }]
      },
    },
    evolve: {
      ReadingPurposeStated: (_, { purposeId, at }) => ({
        purpose: { id: purposeId, statedAt: at },
        read: emptySet,
      }),
      PersonalDataRead: (state, read) => ({ ...state, read: state.read.add(keyOf(read)) }),
      TenantsRead: (state) => state,
    },
  }

/** No summer time since 2019. */
const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo', dateStyle: 'short' })

/** A purpose ends at midnight at the latest: each day has its own stream. */
const endOf = (statedAt: Instant): Instant => {
  const hourLater = later(statedAt, purposeMs)
  const lastDay = day.format(Date.parse(hourLater))
  const isSameDay = lastDay === day.format(Date.parse(statedAt))
  return isSameDay ? hourLater : new Date(`${lastDay}T00:00:00-03:00`).toISOString()
}

interface StatedPurpose {
  tenantId: string | null
  purpose: ReadingPurpose
  details: string | undefined
}

export interface TenantReadings extends ReadingRecorder {
  /** Returns the expiry; an earlier purpose that is still valid stays. */
  state(request: FastifyRequest, stated: StatedPurpose): Promise<Instant>
  /** Null without a purpose. */
  until(request: FastifyRequest, tenantId: string | null): Promise<Instant | null>
}

const contextOf = (
  request: FastifyRequest,
  tenant: string | null,
  more: Pick<CommandContext, 'commandId' | 'causationId'> & Partial<CommandContext>,
): CommandContext => ({
  actor: { kind: 'admin', id: request.user.id },
  tenant,
  correlationId: request.id,
  ...more,
})

/** docs/decisions/0059. Safe in several processes: the log decides. */
export const tenantReadings = ({ store, codec, clock }: Pick<Ports, 'store' | 'codec' | 'clock'>): TenantReadings => {
  const decider = tenantReading
  const readings = commandHandler({
    store,
    codec,
    clock,
    service: 'operations',
    category: 'tenantReading',
    decider,
    foreign: 'unexpected',
  })

  const accounts = readFold({ store, codec }, 'user', isActiveAccount)

  /** Null for erased tenants: their key is destroyed. */
  const existing = async (tenantId: string | null): Promise<string | null> =>
    tenantId !== null && (await accounts.load(tenantId, tenantId)) ? tenantId : null

  const streamOf = ({ user }: FastifyRequest, tenantId: string | null) =>
    `${user.id}:${tenantId ?? 'all'}:${day.format(Date.parse(clock.now()))}`

  const load = async (request: FastifyRequest, tenantId: string | null) => {
    const stream = streamOf(request, tenantId)
    return { stream, state: await readings.load(stream, tenantId), at: clock.now() }
  }

  return {
    async record(request, { tenantId: named, what, record }) {
      const tenantId = await existing(named)
      const { stream, state, at } = await load(request, tenantId)
      const purpose = currentPurpose(state, at)
      if (!purpose) throw new PurposeNeeded(tenantId)
      if (!state.read.has(keyOf({ what, record }))) {
        const outcome = await readings(
          stream,
          { type: 'ReadPersonalData', data: { tenantId, what, record, at } },
          contextOf(request, tenantId, {
            commandId: deriveId('personal data read', request.id, what, record ?? ''),
            // An unassigned purchase later appears in one account's timeline; lists appear in all.
            causationId: tenantId === null && record !== null ? request.id : purpose.id,
          }),
        )
        if (!outcome.ok)
          throw outcome.rejected === 'purpose_needed' ? new PurposeNeeded(tenantId) : refuse('unexpected')
      }
      noteRecorded(request)
    },

    async state(request, { tenantId, purpose, details }) {
      if ((await existing(tenantId)) !== tenantId) throw refuse('user_not_found')
      const { stream, at } = await load(request, tenantId)
      const { id: commandId, repeated } = request.command
      // The event's id: later readings name it as cause.
      const purposeId = deriveId(commandId, streamName('tenantReading', stream), 'StateReadingPurpose', 0)
      const outcome = await readings(
        stream,
        { type: 'StateReadingPurpose', data: { tenantId, purposeId, purpose, at } },
        contextOf(request, tenantId, {
          commandId,
          repeated,
          causationId: request.id,
          ...(details && { reason: details }),
        }),
      )
      if (!outcome.ok) throw refuse('unexpected')
      return endOf(outcome.state.purpose?.statedAt ?? at)
    },

    async until(request, named) {
      const tenantId = await existing(named)
      const { state, at } = await load(request, tenantId)
      const purpose = currentPurpose(state, at)
      return purpose && endOf(purpose.statedAt)
    },
  }
}

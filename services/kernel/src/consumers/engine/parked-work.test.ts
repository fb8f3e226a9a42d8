import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../clock.ts'
import { type CommandContext, commandHandler } from '../../domain/command-handler.ts'
import { specify } from '../../domain/specify.ts'
import { eventCodec } from '../../event-store/codec.ts'
import { memoryEventStore } from '../../event-store/memory.ts'
import { everythingIn } from '../../testing/everything-in.ts'
import { type ParkedWorkEvent, parkedWork } from './parked-work.ts'

const given = specify(parkedWork)
const [first, second, eventId] = [randomUUID(), randomUUID(), randomUUID()]
const parking = (parkingId: string) => ({
  worker: 'reactor x',
  parkingId,
  eventId,
  errorName: 'Error',
  attempts: 6,
})
const parked = (parkingId: string): ParkedWorkEvent => ({ type: 'WorkParked', data: parking(parkingId) })
const retried: ParkedWorkEvent = { type: 'WorkRetried', data: { parkingId: first } }
const released: ParkedWorkEvent = { type: 'WorkReleased', data: { parkingId: first, eventId } }
const resumed: ParkedWorkEvent = { type: 'WorkResumed', data: { parkingId: first } }

describe('parked work', () => {
  it('is recorded once', () =>
    given(parked(first))
      .when({ type: 'ParkWork', data: parking(first) })
      .thenNothing())
  it('may be parked anew after it failed again', () =>
    given(parked(first), retried)
      .when({ type: 'ParkWork', data: parking(second) })
      .then(parked(second)))

  it('is retried once, however often the button is pressed', () => {
    given(parked(first))
      .when({ type: 'RetryWork', data: { parkingId: first } })
      .then(retried)
    given(parked(first), retried)
      .when({ type: 'RetryWork', data: { parkingId: first } })
      .thenNothing()
  })
  it('is released once, also while it is being retried, and names the event that is given up', () => {
    given(parked(first))
      .when({ type: 'ReleaseWork', data: { parkingId: first } })
      .then(released)
    given(parked(first), retried)
      .when({ type: 'ReleaseWork', data: { parkingId: first } })
      .then(released)
    given(parked(first), released)
      .when({ type: 'ReleaseWork', data: { parkingId: first } })
      .thenNothing()
  })
  it('resumes once', () => {
    given(parked(first), retried)
      .when({ type: 'ResumeWork', data: { parkingId: first } })
      .then(resumed)
    given(parked(first), retried, resumed)
      .when({ type: 'ResumeWork', data: { parkingId: first } })
      .thenNothing()
  })
  it.each(['RetryWork', 'ReleaseWork'] as const)('refuses %s of what is not parked, or is no more', (type) => {
    const refused = 'parked_work_not_found'
    given()
      .when({ type, data: { parkingId: first } })
      .thenRejected(refused)
    given(parked(first), parked(second))
      .when({ type, data: { parkingId: first } })
      .thenRejected(refused)
    given(parked(first), retried, resumed)
      .when({ type, data: { parkingId: first } })
      .thenRejected(refused)
  })

  it('keeps who decided, when and why in the log', async () => {
    const store = memoryEventStore()
    const works = commandHandler({
      store,
      codec: eventCodec(),
      clock: systemClock,
      service: 'operations',
      category: 'parkedWork',
      decider: parkedWork,
      foreign: 'parked_work_not_found',
    })
    const context: CommandContext = {
      commandId: randomUUID(),
      actor: { kind: 'admin', id: 'rosa' },
      tenant: null,
      causationId: 'request',
      correlationId: 'request',
      reason: 'the customer wrote again',
    }
    await works('x', { type: 'ParkWork', data: parking(first) }, { ...context, commandId: randomUUID() })
    await works('x', { type: 'ReleaseWork', data: { parkingId: first } }, context)
    const [, event] = await everythingIn(store, 'parkedWork')
    expect(event).toMatchObject({
      type: 'WorkReleased',
      data: { eventId },
      metadata: { actor: { kind: 'admin', id: 'rosa' }, reason: 'the customer wrote again' },
    })
  })
})

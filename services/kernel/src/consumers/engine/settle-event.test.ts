import { describe, expect, it } from 'vitest'
import { eventCodec } from '../../event-store/codec.ts'
import type { Position, RecordedEvent } from '../../event-store/port.ts'
import { silentLog } from '../../observability/log.ts'
import { newStatus } from './consumer-status.ts'
import { failingKeys } from './failing-keys.ts'
import type { ParkingLot } from './parking-lot.ts'
import { eventSettler } from './settle-event.ts'

const recorded = { id: 'e1', stream: 'chat-1', type: 'ChatSeen', position: '7' as Position } as RecordedEvent

const settling = (park: () => Promise<void>, ending: AbortController) => {
  const lot: Pick<ParkingLot, 'isParked' | 'park'> = { isParked: () => false, park }
  const { settle } = eventSettler({
    labels: {},
    kind: 'example',
    handle: async () => undefined,
    pauses: [],
    codec: eventCodec(),
    log: silentLog(),
    lot: lot as ParkingLot,
    failing: failingKeys(newStatus()),
    session: {
      epoch: { worker: 'example', epoch: '1' },
      until: ending.signal,
      isMine: () => true,
      end: (error) => ending.abort(error),
      renew: () => ending.abort(),
    },
    onDoubt: () => undefined,
  })
  return settle('1', { recorded, outcome: { error: new Error('unreadable') } })
}

describe('an event that has to be parked', () => {
  it('counts as finished once it is stored among the parked', async () => {
    expect(await settling(async () => undefined, new AbortController())).toBe(true)
  })

  it('does not where the process ended first: no checkpoint may pass it', async () => {
    const ending = new AbortController()
    const park = async () => {
      ending.abort()
      throw new Error('the database is gone')
    }
    expect(await settling(park, ending)).toBe(false)
  })
})

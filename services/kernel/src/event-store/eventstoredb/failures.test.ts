import { UnavailableError } from '@eventstore/db-client'
import { describe, expect, it } from 'vitest'
import { serializeError } from '../../observability/serialize-error.ts'
import { GoneSilent, interruption } from './failures.ts'

const grpc = (code: number, message: string) => Object.assign(new Error(message), { code })
const logged = (error: unknown) => serializeError(interruption(error)).message

describe('the reason of an interruption in the log', () => {
  it.each([
    [
      grpc(14, 'No connection established. Last error: connect ECONNREFUSED 10.0.0.7:2113'),
      'Error UNAVAILABLE: ECONNREFUSED',
    ],
    [grpc(13, 'Received RST_STREAM with code 0'), 'Error INTERNAL: RST_STREAM with code 0'],
    [
      grpc(10, 'Consumer too slow to handle event while live. Client resubscription required.'),
      'Error ABORTED: Consumer too slow',
    ],
    [new Error('Failed to discover after 10 attempts.'), 'Error: Failed to discover'],
    [new GoneSilent('EventStoreDB has gone silent'), 'GoneSilent: EventStoreDB has gone silent'],
    ['text', 'no error'],
  ])('says what kind it was', (error, reason) => expect(logged(error)).toBe(`EventStoreDB, ${reason}`))

  it('names no stream and nothing that was written', () => {
    expect(logged(grpc(7, "Access to stream 'contact-ana' denied"))).toBe('EventStoreDB, Error PERMISSION_DENIED')
  })

  it('is the client’s own kind where it has one', () => {
    const error = Object.create(UnavailableError.prototype, {
      name: { value: 'UnavailableError' },
      message: { value: 'read ECONNRESET' },
    })
    expect(logged(error)).toBe('EventStoreDB, UnavailableError: ECONNRESET')
  })
})

import { describe, expect, it } from 'vitest'
import { backoffMilliseconds, type NextStep, reconnectRule } from './reconnect-rule.ts'

const table: [code: number, reason: string, badSessions: number, step: NextStep][] = [
  [515, 'restart required', 0, 'reconnect_at_once'],
  [401, 'conflict', 0, 'unlinked'],
  [403, 'Connection Failure', 0, 'refused'],
  [411, 'Multi-device beta not joined', 0, 'refused'],
  [440, 'conflict', 0, 'replaced'],
  [408, 'Connection was lost', 0, 'reconnect_later'],
  [408, 'QR refs attempts ended', 0, 'refs_ended'],
  [428, 'Connection Terminated', 0, 'reconnect_later'],
  [503, 'Connection Failure', 0, 'reconnect_later'],
  [405, 'Connection Failure', 0, 'reconnect_later'],
  [0, 'unknown', 0, 'reconnect_later'],
  [500, 'unknown', 1, 'reconnect_later'],
  [500, 'unknown', 4, 'reconnect_later'],
  [500, 'unknown', 5, 'refused'],
]

describe('after WhatsApp closes a line', () => {
  it.each(table)('with %i (%s), %i bad sessions in a row: %s', (code, reason, badSessions, step) => {
    expect(reconnectRule({ code, reason }, badSessions)).toBe(step)
  })

  it('waits longer and longer up to a limit, and never gives up', () => {
    const waits = [0, 1, 2, 3, 10, 100, 100_000].map((failures) =>
      backoffMilliseconds(failures, 0.999999, 1000, 60_000),
    )
    expect(waits.map(Math.round)).toEqual([1000, 2000, 4000, 8000, 60_000, 60_000, 60_000])
  })
  it('spreads the waits over half of their length', () => {
    expect(backoffMilliseconds(2, 0, 1000, 60_000)).toBe(2000)
    expect(backoffMilliseconds(2, 0.5, 1000, 60_000)).toBe(3000)
  })
})

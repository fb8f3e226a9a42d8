import { describe, expect, it } from 'vitest'
import { type NextStep, reconnectRule } from './reconnect-rule.ts'

const table: [code: number, reason: string, step: NextStep][] = [
  [515, 'restart required', 'reconnect_at_once'],
  [401, 'conflict', 'unlinked'],
  [403, 'Connection Failure', 'refused'],
  [402, 'Connection Failure', 'refused'],
  [406, 'Connection Failure', 'refused'],
  [411, 'Multi-device beta not joined', 'refused'],
  [440, 'conflict', 'replaced'],
  [408, 'Connection was lost', 'reconnect_later'],
  [408, 'QR refs attempts ended', 'refs_ended'],
  [428, 'Connection Terminated', 'reconnect_later'],
  [503, 'Connection Failure', 'reconnect_later'],
  [405, 'Connection Failure', 'reconnect_later'],
  [0, 'unknown', 'reconnect_later'],
]

describe('after WhatsApp closes a line', () => {
  it.each(table)('with %i (%s): %s', (code, reason, step) => {
    expect(reconnectRule({ code, reason }, { count: 0, haveLasted: true })).toBe(step)
  })
  it.each<[count: number, haveLasted: boolean, step: NextStep]>([
    [1, true, 'reconnect_later'],
    [4, true, 'reconnect_later'],
    [5, true, 'refused'],
    [5, false, 'reconnect_later'],
    [500, false, 'reconnect_later'],
  ])('with 500, %i of them in a row, lasting: %s: %s', (count, haveLasted, step) => {
    expect(reconnectRule({ code: 500, reason: 'unknown' }, { count, haveLasted })).toBe(step)
  })
})

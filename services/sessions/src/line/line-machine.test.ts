import { describe, expect, it } from 'vitest'
import { connection } from '../domain/connection.ts'
import { productionTimings } from '../timings.ts'
import { type LineEffect, type LineInput, type LineMachine, lineMachine, lineStep, serves } from './line-machine.ts'

const now = '2026-11-21T14:00:00.000Z'
const until = '2026-11-21T14:02:00.000Z'
const number = { phone: '5511900000001', lid: null, pushName: null }
const linked = { ...connection.initial, status: 'linked' as const, generation: 3 }
const linking = { ...linked, status: 'linking' as const, linkingUntil: until }

const after = (wanted: typeof linked | typeof linking, ...inputs: (LineInput | { at: string })[]) => {
  let state: LineMachine = lineMachine(wanted)
  let effects: readonly LineEffect[] = []
  let time = now
  for (const input of inputs) {
    if ('at' in input) time = input.at
    else ({ state, effects } = lineStep(state, input, { now: time, random: 0.5, timings: productionTimings }))
  }
  return { state, effects, types: effects.map(({ type }) => type) }
}

const started: LineInput = { type: 'started' }
const opened: LineInput = { type: 'opened', number }
const waited: LineInput = { type: 'waited' }
const code = (text: string): LineInput => ({ type: 'qrCodeReceived', text })
const closed = (status: number, reason = ''): LineInput[] => {
  const close = { code: status, reason }
  return [
    { type: 'closed', close },
    { type: 'released', close },
  ]
}

describe('a line that is linked', () => {
  it('connects when it is started', () => expect(after(linked, started).effects).toEqual([{ type: 'connect' }]))

  it('records that it is open, and serves', () =>
    expect(after(linked, started, opened).effects).toEqual([
      { type: 'record', command: { type: 'OpenLine', data: { generation: 3 } } },
      { type: 'serve', steadyMs: 30_000 },
    ]))

  it('releases its socket before anything follows from the close', () => {
    const { state, effects } = after(linked, started, opened, { type: 'closed', close: { code: 440, reason: '' } })
    expect(effects).toEqual([{ type: 'release', close: { code: 440, reason: '' }, broke: true }])
    expect(state.phase).toBe('closing')
  })

  it('takes only the first of several closes', () => {
    const [close, released] = closed(440)
    if (!close || !released) throw new Error('two inputs')
    expect(after(linked, started, close, close).effects).toEqual([])
  })

  it('waits twice as long after each failure, and as at first once it was proven good', () => {
    const waits = (...inputs: LineInput[]) => {
      const [, wait] = after(linked, started, ...inputs).effects
      return wait?.type === 'wait' ? wait.ms : undefined
    }
    const failed = [...closed(428), waited]
    expect(waits(...closed(428))).toBe(750)
    expect(waits(...failed, ...closed(428))).toBe(1500)
    expect(waits(...failed, ...failed, ...closed(428))).toBe(3000)
    expect(waits(...failed, ...failed, opened, { type: 'provenGood' }, ...closed(428))).toBe(750)
  })

  it('records a drop with each failure', () =>
    expect(after(linked, started, ...closed(428, 'gone')).effects[0]).toEqual({
      type: 'record',
      command: { type: 'DropLine', data: { generation: 3, code: 428, reason: 'gone' } },
    }))

  it('connects at once when WhatsApp asks for a restart, three times in a row', () => {
    const restart = closed(515)
    expect(after(linked, started, ...restart, ...restart, ...restart).types).toEqual(['connect'])
    expect(after(linked, started, ...restart, ...restart, ...restart, ...restart).types).toEqual(['record', 'wait'])
  })

  it('ends with the fact that it was unlinked, refused or replaced, once that is stored', () => {
    for (const [status, type] of [
      [401, 'UnlinkNumber'],
      [403, 'RefuseConnection'],
      [440, 'ReplaceConnection'],
    ] as const) {
      const { effects } = after(linked, started, opened, ...closed(status))
      expect(effects).toMatchObject([{ type: 'recordLast', command: { type } }])
      const last = after(linked, started, opened, ...closed(status), { type: 'lastFactSettled' })
      expect(last.types).toEqual(['end'])
      expect(last.state.phase).toBe('ended')
    }
  })

  it('is refused for bad sessions only when they came five times in a row and have lasted', () => {
    const bad = [...closed(500), waited]
    const fourTimes = [started, ...bad, ...bad, ...bad, ...bad]
    expect(after(linked, ...fourTimes, ...closed(500)).types).toEqual(['record', 'wait'])
    const later = { at: '2026-11-21T14:15:00.000Z' }
    expect(after(linked, ...fourTimes, later, ...closed(500)).types).toEqual(['recordLast'])
    expect(after(linked, ...fourTimes, later, opened, ...closed(500)).types).toEqual(['record', 'wait'])
    expect(after(linked, ...fourTimes, later, ...closed(428), waited, ...closed(500)).types).toEqual(['record', 'wait'])
  })

  it('has lost its credentials when WhatsApp shows it a code', () =>
    expect(after(linked, started, code('a')).effects).toEqual([
      { type: 'release', close: { code: 401, reason: 'credentials are missing' }, broke: false },
    ]))
})

describe('a line that is being linked', () => {
  it('shows the first code for a minute and each that follows for 20 s, and none beyond the attempt', () => {
    const shown = (...inputs: (LineInput | { at: string })[]) => {
      const [first] = after(linking, started, ...inputs).effects
      return first?.type === 'storeQrCode' ? first.expiresAt : undefined
    }
    expect(shown(code('a'))).toBe('2026-11-21T14:01:00.000Z')
    expect(shown(code('a'), code('b'))).toBe('2026-11-21T14:00:20.000Z')
    expect(shown({ at: '2026-11-21T14:01:30.000Z' }, code('a'))).toBe(until)
  })

  it('offers codes to type as soon as it shows one to scan', () =>
    expect(after(linking, started, code('a')).types).toEqual(['storeQrCode', 'record', 'offerPairingCode']))

  it('ends the codes with the first number, once', () => {
    const scan: LineInput = { type: 'linked', number }
    expect(after(linking, started, code('a'), scan).types).toEqual(['endLinking', 'record', 'deleteCodes'])
    expect(after(linking, started, code('a'), scan, scan).effects).toEqual([])
    expect(after(linking, started, opened).types).toEqual(['endLinking', 'record', 'deleteCodes', 'record', 'serve'])
  })

  it('ignores the code that comes between the scan and the restart', () =>
    expect(after(linking, started, code('a'), { type: 'linked', number }, code('b')).effects).toEqual([]))

  it('is refused for bad sessions after the fifth: who is linking can scan a new code', () => {
    const bad = [...closed(500), waited]
    expect(after(linking, started, ...bad, ...bad, ...bad, ...bad, ...closed(500)).types).toEqual(['recordLast'])
  })

  it('expires when WhatsApp has no more codes', () =>
    expect(after(linking, started, ...closed(408, 'QR refs attempts ended')).effects).toEqual([
      { type: 'recordLast', command: { type: 'ExpireLinking', data: { until } } },
    ]))

  it('expires when its time is over, and closes only once that is stored', () => {
    const timedOut = after(linking, started, code('a'), { type: 'linkingTimedOut' })
    expect(timedOut.effects).toEqual([{ type: 'recordExpiry', until }])
    expect(timedOut.state.phase).toBe('connecting')
    const stored = after(linking, started, code('a'), { type: 'linkingTimedOut' }, { type: 'expiryStored' })
    expect(stored.types).toEqual(['abort', 'closeSocket'])
  })

  it('goes on when a phone scanned the last code while its end was being stored', () => {
    const inputs = [started, { type: 'linkingTimedOut' }, { type: 'linked', number }, { type: 'expiryStored' }] as const
    expect(after(linking, ...inputs).effects).toEqual([])
  })

  it('records a number also when it was closed before that is known', () => {
    const expired = [started, code('a'), { type: 'linkingTimedOut' }, { type: 'expiryStored' }] as const
    const late = after(linking, ...expired, ...closed(428), { type: 'linked', number })
    expect(late.types).toEqual(['endLinking', 'record', 'deleteCodes'])
    expect(late.state.phase).toBe('ended')
  })
})

describe('a line that is to stop', () => {
  it('ends when its socket is closed, whatever the reason, and nothing is recorded of it', () => {
    const stopping = [started, opened, { type: 'stopRequested' }] as const
    expect(after(linked, ...stopping).types).toEqual(['abort'])
    expect(after(linked, ...stopping, { type: 'closed', close: { code: 401, reason: '' } }).effects).toMatchObject([
      { type: 'release', broke: false },
    ])
    expect(after(linked, ...stopping, ...closed(401)).types).toEqual(['end'])
  })

  it('ends at once while it waits to connect again', () => {
    expect(after(linked, started, ...closed(428), { type: 'stopRequested' }).types).toEqual(['abort', 'end'])
    expect(after(linked, started, ...closed(428), { type: 'stopRequested' }, waited).effects).toEqual([])
  })

  it('closes its socket when its lease is lost', () =>
    expect(after(linked, started, opened, { type: 'leaseLost' }).types).toEqual(['abort', 'closeSocket']))

  it('stores its last fact all the same', () => {
    const inputs = [started, opened, ...closed(440), { type: 'stopRequested' } as const]
    expect(after(linked, ...inputs).state.phase).toBe('ending')
    expect(after(linked, ...inputs, { type: 'lastFactSettled' }).types).toEqual(['end'])
  })
})

it('a line serves the generation and the attempt for which it was started, until it stops', () => {
  const { state } = after(linking, started)
  expect(serves(state, linking)).toBe(true)
  expect(serves(state, linked)).toBe(true)
  expect(serves(state, { ...linking, generation: 4 })).toBe(false)
  expect(serves(state, { ...linking, linkingUntil: now })).toBe(false)
  expect(serves(after(linking, started, { type: 'stopRequested' }).state, linking)).toBe(false)
})

import { describe, expect, it } from 'vitest'
import type { NextMessage } from '../outbox/outbox.ts'
import type { OutgoingWork } from '../outbox/outgoing-work.ts'
import { productionTimings } from '../timings.ts'
import { type SenderEffect, type SenderInput, type SenderMachine, senderMachine, senderStep } from './sender-machine.ts'

const text: OutgoingWork = { kind: 'message', content: { kind: 'text', text: 'oi' }, secret: '' }

const message = (changes: Partial<NextMessage> = {}): NextMessage => ({
  connectionId: 'connection',
  messageId: 'M1',
  contactId: 'ana',
  tenant: 'owner',
  toJid: '5511900000002@s.whatsapp.net',
  work: text,
  prepared: null,
  state: 'waiting',
  attempts: 0,
  eventId: 'event',
  correlationId: 'correlation',
  isAcquainted: true,
  isOfEarlierNumber: false,
  ...changes,
})

const after = (...inputs: (SenderInput | { pass: number })[]) => {
  let now = 0
  let state: SenderMachine = senderMachine(productionTimings, now)
  let effects: readonly SenderEffect[] = []
  for (const input of [{ type: 'lineOpened', change: null } as const, ...inputs]) {
    if ('pass' in input) now += input.pass
    else ({ state, effects } = senderStep(state, input, { now, random: 0, timings: productionTimings }))
  }
  return { state, effects, types: effects.map(({ type }) => type) }
}

const found = (changes: Partial<NextMessage> = {}): SenderInput => ({ type: 'found', message: message(changes) })
const nothing: SenderInput = { type: 'found', message: undefined }
const sent = (sending = 1): SenderInput => ({ type: 'sent', sending })
const acknowledged = (error?: string): SenderInput => ({ type: 'acknowledged', messageId: 'M1', error })
const done: SenderInput = { type: 'done' }
const failedWith = (code: string): SenderEffect => ({ type: 'recordFailed', messageId: 'M1', code })

describe('a message', () => {
  it('is sent, awaited, recorded and followed by the next look', () => {
    expect(after(found()).effects).toEqual([{ type: 'send', message: message(), asksDevices: false, sending: 1 }])
    expect(after(found(), sent()).effects).toEqual([{ type: 'wait', ms: 15_000 }])
    expect(after(found(), sent(), acknowledged()).effects).toEqual([{ type: 'recordDispatched', messageId: 'M1' }])
    expect(after(found(), sent(), acknowledged(), done).types).toEqual(['look'])
  })

  it('is recorded also when the answer comes before Baileys reports that it was sent', () => {
    expect(after(found(), acknowledged()).types).toEqual(['recordDispatched'])
    expect(after(found(), acknowledged(), sent()).effects).toEqual([])
  })

  it('is proven by a receipt as well', () =>
    expect(after(found(), sent(), { type: 'proven', messageId: 'M1' }).types).toEqual(['recordDispatched']))

  it('counts as attempted when no answer comes in time, and fails with the fifth attempt', () => {
    const silent = [found(), sent(), { type: 'waited' }] as const
    expect(after(...silent).effects).toEqual([{ type: 'countAttempt', messageId: 'M1' }])
    expect(after(...silent, { type: 'counted', attempts: 4 }).types).toEqual(['look'])
    expect(after(...silent, { type: 'counted', attempts: 5 }).effects).toEqual([failedWith('no_acknowledgement')])
  })

  it('fails with the code of a refusal', () =>
    expect(after(found(), sent(), acknowledged('403')).effects).toEqual([failedWith('403')]))

  it('is tried once more with a fresh list of devices after a 479', () => {
    const again = [found(), sent(), acknowledged('479'), { type: 'counted', attempts: 1 }] as const
    expect(after(...again, found({ attempts: 1 })).effects).toMatchObject([{ type: 'send', asksDevices: true }])
    expect(after(...again, found({ attempts: 1 }), sent(2), acknowledged('479')).effects).toEqual([failedWith('479')])
  })

  it('is tried later after a 429, which slows everything down, and fails with the fifth', () => {
    const tooFast = [found(), sent(), acknowledged('429')] as const
    expect(after(...tooFast).types).toEqual(['countAttempt'])
    expect(after(...tooFast, { type: 'counted', attempts: 1 }).effects).toEqual([{ type: 'wait', ms: 60_000 }])
    expect(after(found({ attempts: 4 }), sent(), acknowledged('429')).effects).toEqual([failedWith('429')])
  })

  it('that cannot be sent fails at once when nobody has the number, else it pauses and counts', () => {
    const notSent = [found(), { type: 'notSent', sending: 1, error: undefined }] as const
    expect(after(...notSent).types).toEqual(['lookUpNumber'])
    expect(after(...notSent, { type: 'numberLookedUp', hasNoAccount: true }).effects).toEqual([
      failedWith('number_not_on_whatsapp'),
    ])
    const known = [...notSent, { type: 'numberLookedUp', hasNoAccount: false }] as const
    expect(after(...known).effects).toEqual([{ type: 'wait', ms: 1000 }])
    expect(after(...known, { type: 'waited' }).types).toEqual(['countAttempt'])
    expect(after(...known, { type: 'waited' }, { type: 'counted', attempts: 5 }).effects).toEqual([
      failedWith('not_sendable'),
    ])
  })

  it('is not touched by the outcome of an earlier sending', () => {
    const again = [
      found(),
      sent(),
      acknowledged('479'),
      { type: 'counted', attempts: 1 },
      found({ attempts: 1 }),
    ] as const
    expect(after(...again, { type: 'notSent', sending: 1, error: undefined }).effects).toEqual([])
    expect(after(...again, sent(1)).effects).toEqual([])
  })

  it('is given up where it was queued for another number, or its text is forgotten', () => {
    expect(after(found({ isOfEarlierNumber: true })).effects).toEqual([failedWith('number_changed')])
    expect(after(found({ work: null })).effects).toEqual([failedWith('text_forgotten')])
  })

  it('is given up when the line broke on it eight times in a row, and may be tried again after that', () => {
    const broke = [found(), sent(), { type: 'lineBroke' }, { pass: 600_000 }] as const
    const reopened: SenderInput = { type: 'lineOpened', change: null }
    const eight = Array.from({ length: 8 }, () => broke).flatMap((inputs, time) => [
      ...(time > 0 ? [reopened, { pass: 120_000 }] : []),
      ...inputs.map((input) => ('type' in input && input.type === 'sent' ? sent(time + 1) : input)),
    ])
    expect(after(...eight, reopened, found()).effects).toEqual([failedWith('line_broken')])
    expect(after(...eight, reopened, found(), done, found()).types).toEqual(['send'])
  })

  it('that has to be made ready is, while the next one is looked for', () => {
    const work: OutgoingWork = {
      kind: 'message',
      content: { kind: 'text', text: 'oi', quoted: { messageId: 'M0', text: 'ei' } },
      secret: '',
    }
    expect(after(found({ work })).types).toEqual(['prepare', 'look'])
    expect(after(found({ work, prepared: new Uint8Array(1) })).types).toEqual(['send'])
  })

  it('that is side work needs no slot, is repeated after a pause and given up after five times', () => {
    const sideWork = message({ work: { kind: 'read', messageIds: ['M0'] } })
    expect(after({ type: 'found', message: sideWork }).types).toEqual(['runSideWork'])
    const failed = [
      { type: 'found', message: sideWork },
      { type: 'sideWorkFailed', message: sideWork },
    ] as const
    expect(after(...failed).types).toEqual(['countAttempt'])
    expect(after(...failed, { type: 'counted', attempts: 1 }).effects).toEqual([{ type: 'wait', ms: 1000 }])
    const last = { ...sideWork, attempts: 4 }
    expect(after({ type: 'found', message: last }, { type: 'sideWorkFailed', message: last }).effects).toEqual([
      failedWith('not_sendable'),
    ])
  })
})

describe('a correction', () => {
  const correction = (until: string | null): Partial<NextMessage> => ({
    work: { kind: 'deletion', messageId: 'M0', until },
  })
  const original = (hasFailed: boolean): SenderInput => ({ type: 'originalFound', hasFailed })

  it('goes when what it corrects has left and WhatsApp still takes it', () =>
    expect(after(found(correction('1970-01-01T00:00:00.000Z')), original(false)).types).toEqual(['send']))

  it('fails when what it corrects never left', () =>
    expect(after(found(correction(null)), original(true)).effects).toEqual([failedWith('original_not_sent')]))

  it('fails when its time is over', () =>
    expect(after({ pass: 1 }, found(correction('1970-01-01T00:00:00.000Z')), original(false)).effects).toEqual([
      failedWith('correction_too_late'),
    ]))

  it('that may be on its way already is tried to its end', () =>
    expect(after({ pass: 1 }, found({ ...correction('1970-01-01T00:00:00.000Z'), attempts: 1 })).types).toEqual([
      'send',
    ]))
})

describe('a first message to somebody who never wrote', () => {
  const first = found({ isAcquainted: false })
  const stranger: SenderInput = { type: 'partnerKnown', hasPartner: false }
  const refused = [found(), sent(), acknowledged('463'), done] as const

  it('goes within its own pace, and is held beyond it', () => {
    expect(after(first).types).toEqual(['askPartner'])
    expect(after(first, stranger).types).toEqual(['send'])
    expect(after(...refused, first, stranger).effects).toEqual([{ type: 'defer', contactId: 'ana' }])
  })

  it('is no first one when the contact has written', () =>
    expect(after(first, { type: 'partnerKnown', hasPartner: true }).types).toEqual(['send']))

  it('is passed over for as long as a refusal holds it up, and looked for after that', () => {
    expect(after(...refused).effects).toMatchObject([{ type: 'look', withoutDeferred: true }])
    expect(after(...refused, nothing).effects).toEqual([{ type: 'wait', ms: 900_000 }])
    expect(after(...refused, nothing, { pass: 900_000 }, { type: 'waited' }).effects).toMatchObject([
      { type: 'look', withoutDeferred: false },
    ])
  })

  it('that was held goes before what is written after the contact has answered', () => {
    const free = [...refused, found()] as const
    expect(after(...free).effects).toEqual([{ type: 'releaseDeferred', contactId: 'ana' }])
    expect(after(...free, { type: 'deferredReleased', changed: true }).types).toEqual(['look'])
    expect(after(...free, { type: 'deferredReleased', changed: false }).types).toEqual(['send'])
  })
})

describe('an open line', () => {
  it('writes twenty at once and then waits', () => {
    const twenty = Array.from({ length: 20 }, (_, index) => [found(), sent(index + 1), acknowledged(), done]).flat()
    expect(after(...twenty).effects).toEqual([{ type: 'wait', ms: 1000 }])
    expect(after(...twenty, { type: 'woken' }).effects).toEqual([])
    expect(after(...twenty, { pass: 1000 }, { type: 'waited' }).types).toEqual(['look'])
  })

  it('waits until it is woken when there is nothing to send', () => {
    expect(after(nothing).effects).toEqual([{ type: 'wait', ms: 0 }])
    expect(after(nothing, { type: 'woken' }).types).toEqual(['look'])
  })

  it('looks again when it was woken during the look', () =>
    expect(after({ type: 'woken' }, nothing).types).toEqual(['look']))

  it('records an answer that nobody awaits any more, unless the message waits in line', () => {
    expect(after(nothing, acknowledged()).effects).toEqual([{ type: 'settleLate', messageId: 'M1', error: undefined }])
    expect(after(nothing, acknowledged('403')).effects).toEqual([{ type: 'settleLate', messageId: 'M1', error: '403' }])
    expect(after(nothing, acknowledged('429')).effects).toEqual([])
  })

  it('pauses when an effect fails, and looks again', () => {
    expect(after(found(), sent(), acknowledged(), { type: 'failed' }).effects).toEqual([{ type: 'wait', ms: 1000 }])
    expect(after({ type: 'failed' }, { type: 'waited' }).types).toEqual(['look'])
  })

  it('that closes does nothing more, and records late answers all the same', () => {
    expect(after(found(), sent(), { type: 'lineClosed' }, { type: 'waited' }).effects).toEqual([])
    expect(after(found(), sent(), { type: 'lineClosed' }, acknowledged()).types).toEqual(['settleLate'])
  })
})

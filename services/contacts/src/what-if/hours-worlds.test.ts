import type { Instant } from '@prosa/contracts/values/instant'
import type { OpeningHours } from '@prosa/contracts/values/time/opening-hours'
import { shortestSlices } from '@prosa/kernel/testing/time-slices'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareHours, type HandledMessage } from './hours-worlds.ts'

/** Monday to Friday; a Wednesday is asked about. */
const office = (from: string, to: string): OpeningHours => {
  const day = [{ from, to }]
  return { timeZone: 'America/Sao_Paulo', week: [[], day, day, day, day, day, []], holidays: [] }
}
const on = (hours: OpeningHours) => ({ hours, isReplyOn: true })
const then = on(office('08:00', '18:00'))

/** São Paulo is three hours behind. */
const at = (clock: string): Instant => new Date(Date.parse(`2026-11-25T${clock}:00.000-03:00`)).toISOString()
const message = (clock: string, more: Partial<HandledMessage> = {}): HandledMessage => ({
  messageId: clock,
  sentAt: at(clock),
  at: at(clock),
  chatIds: ['ana'],
  status: 'waiting',
  isTakenByFlow: false,
  line: 'open',
  isAnswered: false,
  isBefore: false,
  ...more,
})
const compared = (messages: HandledMessage[], draft: Parameters<typeof compareHours>[2]) =>
  compareHours(messages, () => then, draft, shortestSlices)
const rows = async (messages: HandledMessage[], draft: Parameters<typeof compareHours>[2]) =>
  (await compared(messages, draft)).differences.map(({ messageId, was, would }) => [messageId, was, would])

describe('with other hours', () => {
  it('whom they find closed would be answered, and whom they find open would not', async () => {
    const messages = [message('17:30'), message('18:30', { isAnswered: true, chatIds: ['bia'] })]
    expect(await rows(messages, on(office('08:00', '17:00')))).toEqual([['17:30', 'open', 'answered']])
    expect(await rows(messages, on(office('08:00', '19:00')))).toEqual([['18:30', 'answered', 'open']])
    const { messages: count, answered, wouldAnswer } = await compared(messages, on(office('08:00', '17:00')))
    expect([count, answered, wouldAnswer]).toEqual([2, 1, 2])
  })

  it('a person is answered once in a closed time: earlier instead of later', async () => {
    const messages = [message('17:30'), message('18:30', { isAnswered: true })]
    expect(await rows(messages, on(office('08:00', '17:00')))).toEqual([
      ['17:30', 'open', 'answered'],
      ['18:30', 'answered', 'already_answered'],
    ])
    const later = [message('18:10', { isAnswered: true }), message('19:30')]
    expect(await rows(later, on(office('08:00', '19:00')))).toEqual([
      ['18:10', 'answered', 'open'],
      ['19:30', 'already_answered', 'answered'],
    ])
  })

  it('a reply before the days asked about still counts, and is no row itself', async () => {
    const messages = [message('18:10', { isAnswered: true, isBefore: true }), message('19:30')]
    expect(await rows(messages, on(office('08:00', '19:00')))).toEqual([['19:30', 'already_answered', 'answered']])
  })

  it('what was in the way of the reply still is', async () => {
    const draft = on(office('08:00', '17:00'))
    const obstacles: Partial<HandledMessage>[] = [
      { status: 'attending' },
      { isTakenByFlow: true },
      { line: 'down' },
      { at: at('17:45') },
    ]
    for (const more of obstacles) expect(await rows([message('17:30', more)], draft)).toEqual([])
  })

  it('what the log does not explain was in the way of the same message with other hours too', async () => {
    // Closed then as well, and nothing was sent: the plan had no message left.
    const blocked = [message('18:30')]
    expect(await rows(blocked, on(office('09:00', '17:00')))).toEqual([])
    expect((await compared(blocked, on(office('09:00', '17:00')))).wouldAnswer).toBe(0)
  })

  it('turned off, nobody is answered; turned on, whoever wrote while it was closed', async () => {
    const answered = [message('18:30', { isAnswered: true })]
    expect(await rows(answered, { ...then, isReplyOn: false })).toEqual([['18:30', 'answered', 'off']])
    const unset = () => ({ hours: null, isReplyOn: false })
    const none = await compareHours([message('18:30')], unset, then, shortestSlices)
    expect(none.differences).toMatchObject([{ was: 'off', would: 'answered' }])
  })

  it('the same hours never differ, whatever happened', async () => {
    const drawn = fc.record({
      minute: fc.nat(1439),
      person: fc.constantFrom('ana', 'bia'),
      status: fc.constantFrom('waiting' as const, 'attending' as const),
      isTakenByFlow: fc.boolean(),
      line: fc.constantFrom('open' as const, 'down' as const),
      isAnswered: fc.boolean(),
      lateMs: fc.constantFrom(0, 60_000, 3_600_000),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(drawn, { maxLength: 12 }), async (all) => {
        const messages = all
          .toSorted((one, other) => one.minute - other.minute)
          .map(({ minute, person, lateMs, ...more }, index) => {
            const sentAt = new Date(Date.parse(at('00:00')) + minute * 60_000).toISOString()
            const handledAt = new Date(Date.parse(sentAt) + lateMs).toISOString()
            return { ...message('00:00'), ...more, messageId: `${index}`, sentAt, at: handledAt, chatIds: [person] }
          })
        expect((await compared(messages, then)).differences).toEqual([])
      }),
    )
  })
})

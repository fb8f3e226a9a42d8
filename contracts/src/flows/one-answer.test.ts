import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { speakerOutOfHours } from './one-answer.ts'

const closed = {
  isReplyOn: true,
  isTaken: false,
  isRunOn: false,
  hasOutOfHoursFlow: false,
  startsNoFlow: false,
}

describe('who speaks while the business is closed', () => {
  it.each([
    ['the reply, where no flow does', {}, 'reply'],
    ['the flow that the message starts or answers', { isTaken: true }, 'flow'],
    ['the flow that goes on with the contact', { isRunOn: true }, 'flow'],
    ['the flow out of hours of this number, also when it has spoken already', { hasOutOfHoursFlow: true }, 'flow'],
    [
      'the reply, where no flow may start as a person was asked for',
      { hasOutOfHoursFlow: true, startsNoFlow: true },
      'reply',
    ],
    ['nobody, where the reply is off', { isReplyOn: false }, 'nobody'],
  ] as const)('%s', (_, facts, speaker) => {
    expect(speakerOutOfHours({ ...closed, ...facts })).toBe(speaker)
  })

  it('is never the reply where a flow takes the message, and never a flow where none is there', () => {
    const facts = fc.record({
      isReplyOn: fc.boolean(),
      isTaken: fc.boolean(),
      isRunOn: fc.boolean(),
      hasOutOfHoursFlow: fc.boolean(),
      startsNoFlow: fc.boolean(),
    })
    fc.assert(
      fc.property(facts, (each) => {
        const speaker = speakerOutOfHours(each)
        if (each.isTaken || each.isRunOn) expect(speaker).toBe('flow')
        if (!each.isTaken && !each.isRunOn && !each.hasOutOfHoursFlow) expect(speaker).not.toBe('flow')
        if (!each.isReplyOn) expect(speaker).not.toBe('reply')
      }),
    )
  })
})

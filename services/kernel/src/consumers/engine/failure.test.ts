import { describe, expect, it } from 'vitest'
import { UndecodableEvent } from '../../event-store/codec.ts'
import { InvalidAppend } from '../../event-store/port.ts'
import { EffectUnknown } from './effect-once.ts'
import { failureOf } from './failure.ts'

describe('what is stored of an error', () => {
  it.each([
    new UndecodableEvent('chat-1: MessageReceived lacks its text'),
    new InvalidAppend('chat-1: an event twice'),
    new EffectUnknown('an effect'),
  ])('is the message of $name, which names things by id and shape only', (error) => {
    expect(failureOf(error, 3)).toMatchObject({ errorName: error.name, message: error.message, attempts: 3 })
  })

  it('is only where any other was thrown: its message may quote what a customer wrote', () => {
    const { errorName, message } = failureOf(new TypeError('Ana escreveu isto'), 1)
    expect(errorName).toBe('TypeError')
    expect(message).toMatch(/^thrown at failure\.test\.ts:\d+$/)
    expect(failureOf('Ana escreveu isto', 1)).toMatchObject({ errorName: 'unknown', message: 'not an error' })
  })
})

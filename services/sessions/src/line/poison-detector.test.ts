import { describe, expect, it } from 'vitest'
import { productionTimings } from '../timings.ts'
import * as poison from './poison-detector.ts'

const aLine = () => {
  let at = 0
  let detector = poison.lineOpened(poison.poisonDetector(at), at)
  const backingOff = () => poison.backingOff(detector, productionTimings, at)
  const letPass = (ms: number) => {
    at += ms
  }
  const breaks = () => {
    detector = poison.lineBroke(detector, productionTimings, at)
    letPass(1000)
    detector = poison.lineOpened(detector, at)
  }
  const isBackingOff = (messageId: string) => backingOff().contactIds.includes(`contact of ${messageId}`)
  const send = (messageId: string) => {
    detector = poison.sending(detector, { messageId, contactId: `contact of ${messageId}` }, at)
  }
  return {
    backingOff,
    letPass,
    breaks,
    send,
    isBackingOff,
    isToBlame: (messageId: string) => poison.isToBlame(detector, messageId),
    answered(messageId: string) {
      detector = poison.answered(detector, messageId)
    },
    unanswered() {
      detector = poison.unanswered(detector)
    },
    forget(messageId: string) {
      detector = poison.forget(detector, messageId)
    },
    breaksOn(messageId: string, times: number) {
      const began = at
      for (let time = 0; time < times; time++) {
        if (isBackingOff(messageId)) letPass(backingOff().wait)
        expect(isBackingOff(messageId)).toBe(false)
        send(messageId)
        letPass(50)
        breaks()
      }
      return at - began
    },
  }
}

describe('a message on which a line breaks', () => {
  it('goes again at once after the first time, and rests longer each time after that', () => {
    const line = aLine()
    line.breaksOn('A', 1)
    expect(line.backingOff()).toEqual({ contactIds: [], wait: 0 })
    const waits = [2, 3, 4].map(() => {
      line.breaksOn('A', 1)
      return line.backingOff().wait
    })
    expect(waits).toEqual([2000, 4000, 8000])
  })

  it('is to blame after eight times in a row, which take longer than a minute', () => {
    const line = aLine()
    expect(line.breaksOn('A', 7)).toBeGreaterThan(60_000)
    expect(line.isToBlame('A')).toBe(false)
    line.breaksOn('A', 1)
    expect(line.isToBlame('A')).toBe(true)
  })

  it('starts anew when it was answered, or is tried again after it was given up', () => {
    const line = aLine()
    line.breaksOn('A', 7)
    line.answered('A')
    line.breaksOn('A', 7)
    expect(line.isToBlame('A')).toBe(false)
    line.breaksOn('A', 1)
    line.forget('A')
    expect(line.isToBlame('A')).toBe(false)
  })

  it('is not to blame when the line breaks without it too', () => {
    const line = aLine()
    line.breaksOn('A', 7)
    line.breaks()
    line.breaksOn('A', 1)
    expect([line.isToBlame('A'), line.isBackingOff('A')]).toEqual([false, false])
  })

  it('is not to blame for what comes long after it, or after its time was over', () => {
    const line = aLine()
    for (let time = 0; time < 10; time++) {
      line.send('A')
      line.letPass(productionTimings.suspicion + 1)
      line.breaks()
      line.send('A')
      line.unanswered()
      line.breaks()
    }
    expect(line.isToBlame('A')).toBe(false)
  })

  it('is not to blame while the line breaks on others too, but once others get through', () => {
    const line = aLine()
    line.breaksOn('A', 7)
    line.breaksOn('B', 1)
    line.breaksOn('A', 1)
    line.breaksOn('B', 7)
    line.breaksOn('A', 1)
    expect([line.isToBlame('A'), line.isToBlame('B')]).toEqual([false, false])
    line.send('C')
    line.answered('C')
    expect([line.isToBlame('A'), line.isToBlame('B')]).toEqual([true, true])
  })
})

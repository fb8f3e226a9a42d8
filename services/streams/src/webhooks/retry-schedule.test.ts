import type { WebhookAttempt } from '@prosa/contracts/http/webhooks'
import { later } from '@prosa/kernel/clock'
import { describe, expect, it } from 'vitest'
import { outcomeOf } from './queries.ts'

const start = '2026-11-27T03:00:00.000Z'
const failed = (at: string): WebhookAttempt => ({ at, status: 500, durationMs: 10, failure: 'status' })

describe('the retries of a call', () => {
  it('go on for a day with growing pauses, the last one at its end, then it is given up', () => {
    const attempts: WebhookAttempt[] = []
    const pauses: number[] = []
    let at = start
    for (;;) {
      attempts.push(failed(at))
      const first = attempts.length === 1 ? null : start
      const outcome = outcomeOf({ stream: 'contact-a', firstTryAt: first }, attempts, at)
      if (!('nextTryAt' in outcome)) {
        expect(outcome.status).toBe('failed')
        break
      }
      pauses.push((Date.parse(outcome.nextTryAt) - Date.parse(at)) / 1000)
      at = outcome.nextTryAt
    }
    expect(pauses.slice(0, 8)).toEqual([5, 30, 120, 600, 1800, 3600, 7200, 14_400])
    expect(at).toBe(later(start, 24 * 3_600_000))
  })

  it('begin anew when it is repeated', () => {
    const again = '2026-11-29T03:00:00.000Z'
    const outcome = outcomeOf({ stream: 'contact-a', firstTryAt: null }, [failed(start), failed(again)], again)
    expect(outcome).toEqual({ status: 'waiting', nextTryAt: later(again, 5000) })
  })

  it('are none after success, of a test, of what cannot be read, and where the address is gone', () => {
    const call = { stream: 'contact-a', firstTryAt: null }
    expect(outcomeOf(call, [{ ...failed(start), status: 200, failure: null }], start).status).toBe('delivered')
    expect(outcomeOf({ ...call, stream: null }, [failed(start)], start).status).toBe('failed')
    expect(outcomeOf(call, [{ ...failed(start), status: null, failure: 'unreadable' }], start).status).toBe('failed')
    expect(outcomeOf(call, [{ ...failed(start), status: 410 }], start).status).toBe('failed')
  })
})

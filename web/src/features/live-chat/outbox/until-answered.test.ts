import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiProblem, offline } from '../../../lib/http/http.ts'
import { noteServerReach } from '../../../lib/http/server-reach.ts'
import { backoff, meaningOf, untilAnswered } from './until-answered.ts'

const problem = (status: number, type: string, retryAfterSeconds: number | null = null) =>
  new ApiProblem(status, type, 'Frase.', [], retryAfterSeconds)

describe('what a failed attempt means', () => {
  it.each<[ReturnType<typeof meaningOf>, ApiProblem | Error]>([
    ['away', offline()],
    ['away', problem(502, 'unreadable')],
    ['away', problem(503, 'unreadable')],
    ['away', problem(504, 'unreadable')],
    ['away', problem(503, 'unavailable')],
    ['away', problem(409, 'request_in_progress', 1)],
    ['away', problem(429, 'too_many_attempts', 60)],
    ['unclear', problem(500, 'unexpected')],
    // A gateway without a process behind it, and a truncated reply.
    ['unclear', problem(404, 'unreadable')],
    ['unclear', problem(202, 'unreadable')],
    ['unclear', problem(429, 'unreadable')],
    ['signed out', problem(401, 'not_signed_in')],
    ['signed out', problem(403, 'password_must_be_changed')],
    ['refused', problem(429, 'too_many_attempts', 3600)],
    ['refused', problem(429, 'day_used_up', 60)],
    ['refused', problem(429, 'media_day_used_up', 60)],
    ['refused', problem(402, 'subscription_ended')],
    ['refused', problem(404, 'contact_not_found')],
    ['refused', problem(409, 'connection_not_open')],
    ['refused', problem(413, 'media_too_large')],
    ['refused', new TypeError('a fault of this page')],
  ])('is %s: %o', (meaning, error) => expect(meaningOf(error)).toBe(meaning))
})

describe('what is repeated until it is answered', () => {
  const before = { ...backoff }
  beforeEach(() => Object.assign(backoff, { firstMs: 0, maxMs: 0 }))
  afterEach(() => {
    Object.assign(backoff, before)
    noteServerReach(true)
  })

  const failing = (...errors: Error[]) => {
    const counted = { attempts: 0 }
    const attempt = async () => {
      const error = errors[counted.attempts++]
      if (error) throw error
      return 'accepted'
    }
    return { counted, attempt }
  }
  const isWanted = () => true
  const times = (count: number, error: Error) => Array<Error>(count).fill(error)

  it('outlasts a server that is away for however long', async () => {
    const { attempt, counted } = failing(...times(100, offline()), ...times(100, problem(503, 'unavailable')))
    expect(await untilAnswered(attempt, { isWanted })).toBe('accepted')
    expect(counted.attempts).toBe(201)
  })

  it('ends with the first refusal', async () => {
    const { attempt, counted } = failing(offline(), problem(404, 'contact_not_found'))
    await expect(untilAnswered(attempt, { isWanted })).rejects.toMatchObject({ type: 'contact_not_found' })
    expect(counted.attempts).toBe(2)
  })

  it('ends once nobody wants it', async () => {
    const { attempt, counted } = failing(...times(9, offline()))
    const wanted = () => counted.attempts < 3
    await expect(untilAnswered(attempt, { isWanted: wanted })).rejects.toMatchObject({ type: 'offline' })
    expect(counted.attempts).toBe(3)
  })

  it('does not hold up what waits behind it for ever where Prosa answers, and always with a fault', async () => {
    const fault = problem(500, 'unexpected')
    const { attempt, counted } = failing(...times(100, fault))
    await expect(untilAnswered(attempt, { isWanted })).rejects.toBe(fault)
    expect(counted.attempts).toBe(8)
  })

  it('counts no fault against it while the live line is down: the server is ending, or starting', async () => {
    noteServerReach(false)
    const { attempt } = failing(...times(50, problem(500, 'unexpected')), ...times(50, problem(404, 'unreadable')))
    expect(await untilAnswered(attempt, { isWanted })).toBe('accepted')
  })

  it('gives a file up that is cut off again and again while everything else is answered', async () => {
    const { attempt, counted } = failing(...times(100, offline()))
    await expect(untilAnswered(attempt, { isWanted, silenceIsUnclear: true })).rejects.toMatchObject({ status: 0 })
    expect(counted.attempts).toBe(8)
  })

  it('is repeated at once when the line is back', async () => {
    Object.assign(backoff, { firstMs: 3_600_000, maxMs: 3_600_000 })
    noteServerReach(false)
    const { attempt, counted } = failing(offline())
    const answered = untilAnswered(attempt, { isWanted })
    await expect.poll(() => counted.attempts).toBe(1)
    noteServerReach(true)
    expect(await answered).toBe('accepted')
  })
})

import type { RefusalReason } from '@prosa/contracts/values/kiwify'
import { specify } from '@prosa/kernel/domain/specify'
import { describe, it } from 'vitest'
import { type RefusedDeliveriesEvent, refusedDeliveries } from './refused-deliveries.ts'

const given = specify(refusedDeliveries)
type Reported = Extract<RefusedDeliveriesEvent, { type: 'DeliveriesRefused' }>

const counted = (hour: string, count: number, reason: RefusalReason = 'signature') => ({
  hour: `2026-11-25T${hour}`,
  endpoint: 'approved' as const,
  reason,
  count,
})
const cause = (count: number, reason: RefusalReason = 'signature') => ({
  endpoint: 'approved' as const,
  reason,
  count,
})
const addresses = [{ address: '203.0.113.7', count: 3 }]
const report = (time: string, ...found: ReturnType<typeof counted>[]) => ({
  type: 'ReportRefused' as const,
  data: { reportId: time, at: `2026-11-25T${time}:00.000Z`, counted: found, addresses, lastAcceptedAt: null },
})
const reported = (time: string, next: string, more: Partial<Reported['data']>): Reported => ({
  type: 'DeliveriesRefused',
  data: {
    reportId: time,
    count: 1,
    causes: [cause(1)],
    hour: '2026-11-25T12',
    countedInHour: [cause(1)],
    addresses,
    lastAcceptedAt: null,
    nextReportAt: `2026-11-25T${next}:00.000Z`,
    expiresAt: `2026-12-25T${time}:00.000Z`,
    ...more,
  },
})
const first = reported('12:40', '13:40', {})
const ceased: RefusedDeliveriesEvent = { type: 'RefusalsCeased', data: {} }

describe('a report of refused deliveries', () => {
  it('is made at the first of them, at once', () =>
    given()
      .when(report('12:40', counted('12', 1)))
      .then(first))

  it('is not made twice within an hour, by whichever process', () => {
    given(first)
      .when(report('12:41', counted('12', 500)))
      .thenNothing()
    given(first)
      .when(report('13:39', counted('13', 500)))
      .thenNothing()
  })

  it('counts at the end of the hour what came since, each once', () =>
    given(first)
      .when(report('13:40', counted('12', 8), counted('13', 2), counted('13', 1, 'no_token')))
      .then(
        reported('13:40', '14:40', {
          count: 10,
          causes: [cause(9), cause(1, 'no_token')],
          hour: '2026-11-25T13',
          countedInHour: [cause(2), cause(1, 'no_token')],
        }),
      ))

  it('says once that nothing came any more, and the next one is reported at once', () => {
    given(first)
      .when(report('13:40', counted('12', 1)))
      .then(ceased)
    given(first, ceased)
      .when(report('13:41', counted('12', 1)))
      .thenNothing()
    given(first, ceased)
      .when(report('13:41', counted('12', 1), counted('13', 1)))
      .then(reported('13:41', '14:41', { hour: '2026-11-25T13' }))
  })

  it('is not made of what bears no signature', () => {
    given()
      .when(report('12:40', counted('12', 90, 'unsigned')))
      .thenNothing()
    given(first)
      .when(report('13:40', counted('12', 1), counted('13', 90, 'unsigned')))
      .then(ceased)
  })

  it('is made again once a clock that was far ahead is set right, and counts nothing that was counted ahead of time', () => {
    const ahead: Reported = {
      ...first,
      data: {
        ...first.data,
        hour: '2031-01-01T00',
        nextReportAt: '2031-01-01T01:40:00.000Z',
        expiresAt: '2031-01-31T00:40:00.000Z',
      },
    }
    const future = { ...counted('12', 9), hour: '2031-01-01T00' }
    given(ahead)
      .when(report('12:40', counted('12', 2), future))
      .then(reported('12:40', '13:40', { count: 2, causes: [cause(2)], countedInHour: [cause(2)] }))
    given(ahead, first)
      .when(report('13:40', counted('12', 1), future))
      .then(ceased)
  })

  it('counts nothing of hours that were deleted, or were counted before', () =>
    given(first)
      .when(report('13:40', counted('11', 7), counted('12', 0), counted('13', 1)))
      .then(reported('13:40', '14:40', { hour: '2026-11-25T13' })))
})

describe('the addresses of a report', () => {
  const expire = (reportId: string) => ({ type: 'ExpireAddresses' as const, data: { reportId } })
  const expired: RefusedDeliveriesEvent = { type: 'RefusalAddressesExpired', data: { reportId: '12:40' } }

  it('expire once', () => {
    given(first).when(expire('12:40')).then(expired)
    given(first, expired).when(expire('12:40')).thenNothing()
  })

  it('expire with their own report only', () => {
    given().when(expire('12:40')).thenNothing()
    given(first).when(expire('14:40')).thenNothing()
    given(first, expired)
      .when(report('13:39', counted('12', 9)))
      .thenNothing()
  })
})

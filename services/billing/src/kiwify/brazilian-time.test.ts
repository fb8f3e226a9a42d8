import { expect, it } from 'vitest'
import { kiwifyInstant } from './brazilian-time.ts'

it('reads a time without a zone as that of São Paulo', () => {
  expect(kiwifyInstant('2026-06-08 11:53')).toBe('2026-06-08T14:53:00.000Z')
  expect(kiwifyInstant('2026-12-31 23:59')).toBe('2027-01-01T02:59:00.000Z')
})

it('knows the summer time of the years that had one', () => {
  expect(kiwifyInstant('2018-12-01 12:00')).toBe('2018-12-01T14:00:00.000Z')
  expect(kiwifyInstant('2018-11-03 23:59')).toBe('2018-11-04T02:59:00.000Z')
})

it('takes a time with a zone as it is written', () => {
  expect(kiwifyInstant('2026-07-08T14:53:23.137Z')).toBe('2026-07-08T14:53:23.137Z')
  expect(kiwifyInstant('2026-07-08T11:53:23-03:00')).toBe('2026-07-08T14:53:23.000Z')
})

it.each([null, undefined, 20260608, '', 'ontem', '08/06/2026', '2026-02-31 10:00', '2026-06-08T11:53:00'.slice(0, 13)])(
  'does not guess at %j',
  (text) => expect(kiwifyInstant(text)).toBeUndefined(),
)

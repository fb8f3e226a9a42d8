import { expect, it } from 'vitest'
import { silentLog } from '../../../observability/log.ts'
import { until } from '../../../testing/until.ts'
import { type ConsumerStatuses, newStatus } from '../../engine/consumer-status.ts'
import { progressBar, showProgress } from './show-progress.ts'

it('a bar is as full as the rebuild is done, and full where there is nothing to do', () => {
  expect(progressBar('contact-list', { done: 250_000, total: 500_000 })).toBe(
    'contact-list ████████████░░░░░░░░░░░░  50 % (250,000 of 500,000)',
  )
  expect(progressBar('contact-list', { done: 0, total: 0 })).toContain('████████████████████████ 100 %')
})

it('a terminal shows the rebuilds that go on in one line, drawn over itself, and clears it in the end', async () => {
  const statuses: ConsumerStatuses = new Map([
    ['account', newStatus()],
    ['contact-list', { ...newStatus(), progress: { done: 1, total: 4 } }],
  ])
  const written: string[] = []
  const terminal = { isTTY: true, columns: 60, write: (text: Uint8Array | string) => written.push(String(text)) > 0 }
  const stopping = new AbortController()
  showProgress(statuses, { log: silentLog(), terminal }, stopping.signal)
  await until(async () => written.length > 0)
  expect(written[0]).toBe('\r\u001b[Kcontact-list ██████░░░░░░░░░░░░░░░░░░  25 % (1 of 4)')
  const status = statuses.get('contact-list')
  if (status) delete status.progress
  await until(async () => written.at(-1) === '\r\u001b[K')
  const drawn = written.length
  stopping.abort()
  expect(written.slice(0, drawn - 1).every((text) => text.includes('contact-list'))).toBe(true)
})

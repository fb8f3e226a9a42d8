import { Registry } from 'prom-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { capturedLog } from '../testing/captured-log.ts'
import { watchEventLoop } from './watch-event-loop.ts'
import { trackWork } from './work-in-progress.ts'

const ana = '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11'
const bia = '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a12'

const watching = () => {
  const captured = capturedLog()
  const work = trackWork()
  const registry = new Registry()
  let now = 0
  const watch = watchEventLoop({ log: captured.log, registry, work, stopwatch: () => now })
  onTestFinished(watch.stop)
  return {
    work,
    registry,
    alerts: () => captured.lines().filter(({ msg }) => msg === 'event loop blocked'),
    lookAfter(ms: number) {
      now += ms
      watch.look()
    },
  }
}

describe('the watch over the event loop', () => {
  it('says nothing while everybody is answered', () => {
    const { lookAfter, alerts, work } = watching()
    work.begin('POST /api/flows/:id/test', ana)
    for (const ms of [100, 101, 150, 1099]) lookAfter(ms)
    expect(alerts()).toEqual([])
  })

  it('names what was in hand while nobody was answered for a second: routes, consumers, tenants', () => {
    const { lookAfter, alerts, work } = watching()
    work.begin('POST /api/flows/:id/test', ana)
    work.begin('POST /api/flows/:id/test', ana)
    work.begin('reactor run-flows', bia)
    work.begin('projection contact-list', undefined, [{ metadata: { tenant: bia } }, { metadata: { tenant: null } }])
    lookAfter(3100)
    expect(alerts()).toMatchObject([
      {
        level: 40,
        delayMs: 3000,
        running: [
          { work: 'POST /api/flows/:id/test', times: 2, tenants: [ana] },
          { work: 'reactor run-flows', times: 1, tenants: [bia] },
          { work: 'projection contact-list', times: 1, tenants: [bia] },
        ],
      },
    ])
  })

  it('names first what ended with the same breath, before the watch could look', () => {
    const { lookAfter, alerts, work } = watching()
    work.begin('GET /api/usage', bia)
    lookAfter(100)
    const blocking = work.begin('reactor run-flows', ana)
    work.end(blocking)
    lookAfter(2100)
    expect(alerts()[0]).toMatchObject({ running: [{ work: 'reactor run-flows' }, { work: 'GET /api/usage' }] })
    lookAfter(2100)
    expect(alerts()[1]).toMatchObject({ running: [{ work: 'GET /api/usage' }] })
  })

  it('names so much and no more, however much is in hand', () => {
    const { lookAfter, alerts, work } = watching()
    for (let count = 0; count < 1000; count++) work.begin(`route ${count % 30}`, `tenant ${count}`)
    for (let count = 0; count < 1000; count++) work.end(work.begin('GET /api/poll', ana))
    lookAfter(5000)
    const [alert] = alerts()
    const running = alert?.running as unknown[]
    expect(running).toHaveLength(20)
    expect(running[0]).toEqual({ work: 'GET /api/poll', times: 500, tenants: [ana] })
    expect(JSON.stringify(alert).length).toBeLessThan(5000)
  })

  it('is a metric, and one look that comes early counts as none', async () => {
    const { lookAfter, registry } = watching()
    for (const ms of [50, 400, 2000]) lookAfter(ms)
    const text = await registry.metrics()
    expect(text).toContain('prosa_event_loop_delay_seconds_bucket{le="0.01"} 1')
    expect(text).toContain('prosa_event_loop_delay_seconds_bucket{le="0.5"} 2')
    expect(text).toContain('prosa_event_loop_delay_seconds_count 3')
  })
})

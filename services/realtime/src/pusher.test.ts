import type { Position } from '@prosa/kernel/event-store/port'
import { silentLog } from '@prosa/kernel/observability/log'
import { until } from '@prosa/kernel/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pusher } from './pusher.ts'

const position = (index: number) => String(index).padStart(19, '0') as Position

const stage = () => {
  let isShown = false
  let asked = 0
  const delivered: string[] = []
  const pushes = pusher({
    log: silentLog(),
    readModels: {
      async reached() {
        asked++
        return isShown
      },
      isParked: () => false,
    },
    deliver: ({ id }) => void delivered.push(id),
  })
  const push = (id: string, index: number) =>
    pushes.push({ kind: 'contact', tenant: 'ana', id, position: position(index), correlationId: id }, position(0))
  const show = () => {
    isShown = true
  }
  return { pushes, push, show, delivered, asked: () => asked }
}

describe('pushes of many subjects that are late together', () => {
  it('all come once they are shown, without a listener for each', async () => {
    const warnings: string[] = []
    const warn = ({ name }: Error) => void warnings.push(name)
    process.on('warning', warn)
    onTestFinished(() => void process.off('warning', warn))
    const { pushes, push, show, delivered, asked } = stage()
    const ids = Array.from({ length: 50 }, (_, index) => `contact ${index}`)
    for (const [index, id] of ids.entries()) push(id, index + 1)
    await until(() => asked() > 50)
    expect([delivered, pushes.deliveredUpTo(position(50))]).toEqual([[], position(0)])
    show()
    await until(() => delivered.length === 50)
    expect(delivered.toSorted()).toEqual(ids.toSorted())
    expect(pushes.deliveredUpTo(position(50))).toBe(position(50))
    expect(warnings).toEqual([])
  })

  it('are given up when the process ends', async () => {
    const { pushes, push, show, delivered, asked } = stage()
    push('contact', 1)
    await until(() => asked() === 1)
    pushes.stop()
    show()
    await until(() => pushes.deliveredUpTo(position(1)) === position(1))
    expect(delivered).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import type { Position } from '../port.ts'
import { opened } from './double/opened-double.ts'
import { positionOf } from './position.ts'

describe('a position', () => {
  it.each(['0000000000000000007', '7', '-1', '99999999999999999999', 'x'])(
    'that no such log prints is refused: %s',
    async (text) => {
      const { store } = await opened()
      const iterator = store.readAll(text as Position, { categories: ['any'] })[Symbol.asyncIterator]()
      await expect(iterator.next()).rejects.toThrow('was not printed by this log')
    },
  )

  it('beyond the end is refused, where the server would skip events in silence', async () => {
    const { server, store } = await opened()
    const far = positionOf(server.log.head() + 1n)
    const stop = new AbortController()
    for (const batches of [
      store.readAll(far, { categories: ['any'] }),
      store.subscribe(far, { categories: ['any'] }, stop.signal),
    ])
      await expect(batches[Symbol.asyncIterator]().next()).rejects.toThrow('beyond the end')
  })

  it('at which no event starts is refused', async () => {
    const { server, store } = await opened()
    const [first] = server.log.all
    const between = positionOf((first?.numericPosition ?? 0n) + 1n)
    const stop = new AbortController()
    for (const batches of [
      store.readAll(between, { categories: ['any'] }),
      store.subscribe(between, { categories: ['any'] }, stop.signal),
    ])
      await expect(batches[Symbol.asyncIterator]().next()).rejects.toThrow('no event of this log')
  })
})

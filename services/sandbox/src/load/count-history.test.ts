import { expect, test } from 'vitest'
import { countHistory } from './count-history.ts'
import type { ProductMessage } from './product-client.ts'
import { questionOf } from './texts.ts'

const message = (id: string, number: number): ProductMessage => ({ id, content: questionOf(number), sender: 'contact' })

const productWith = (listings: Record<string, unknown[][][]>) => ({
  async *pages<T>(path: string): AsyncGenerator<T[]> {
    const [, name = ''] = /(?:status=|contacts\/)(\w+)/.exec(path) ?? []
    const all = listings[name] ?? [[]]
    const listing = all.length > 1 ? all.shift() : all[0]
    for (const page of listing ?? []) yield page as T[]
  },
})

const counted = async (listings: Record<string, unknown[][][]>, max: number) => {
  const counts = new Uint8Array(max)
  await countHistory(productWith(listings), counts)
  return [...counts]
}

test('a contact that is accepted while the lists are read counts once', async () => {
  const ana = { id: 'ana' }
  expect(await counted({ waiting: [[[ana]], [[]]], attending: [[[ana]]], ana: [[[message('A', 0)]]] }, 1)).toEqual([1])
})

test('a contact that moved behind the page that was read is found all the same', async () => {
  const [ana, bia] = [{ id: 'ana' }, { id: 'bia' }]
  const moved = { attending: [[[ana]], [[bia], [ana]]], ana: [[[message('A', 0)]]], bia: [[[message('B', 1)]]] }
  expect(await counted(moved, 2)).toEqual([1, 1])
})

test('a message on two pages is one message, and two messages of one number are two', async () => {
  const pages = [
    [
      [message('A', 0), message('B', 1)],
      [message('B', 1), message('C', 1)],
    ],
  ]
  expect(await counted({ waiting: [[[{ id: 'ana' }]]], ana: pages }, 2)).toEqual([1, 2])
})

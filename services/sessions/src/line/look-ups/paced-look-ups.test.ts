import { expect, it } from 'vitest'
import type { LineHandle } from '../../gateway/gateway.ts'
import { LookUpsExhausted, lookUpsOfLines, pacedLookUps } from './paced-look-ups.ts'

const hour = 3_600_000

it('a line looks up no more numbers than it may within any hour, whenever it was begun anew', async () => {
  let at = 0
  const bucketOf = lookUpsOfLines(6, () => at)
  const asked: number[] = []
  const findNumber = async () => void asked.push(at)
  const ask = () => pacedLookUps({ findNumber } as Partial<LineHandle> as LineHandle, bucketOf('line')).findNumber('55')
  for (; at < 3 * hour; at += 60_000) await ask().catch(() => undefined)
  for (const from of asked)
    expect(asked.filter((each) => each >= from && each < from + hour).length).toBeLessThanOrEqual(6)
  expect(asked.length).toBeGreaterThanOrEqual(12)
})

it('answers how long to wait, and one line’s look-ups are not another’s', async () => {
  const bucketOf = lookUpsOfLines(2, () => 0)
  const findNumber = async () => undefined
  const line = (id: string) => pacedLookUps({ findNumber } as Partial<LineHandle> as LineHandle, bucketOf(id))
  await line('a').findNumber('55')
  await expect(line('a').findNumber('55')).rejects.toThrow(LookUpsExhausted)
  await expect(line('a').findNumber('55')).rejects.toMatchObject({ waitMs: hour })
  await line('b').findNumber('55')
})

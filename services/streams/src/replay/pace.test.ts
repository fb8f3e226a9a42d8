import { expect, it } from 'vitest'
import type { ReadEvent } from './read-events.ts'
import { paceOf } from './replay.ts'

const eventAt = (seconds: number) =>
  ({ line: String(seconds), event: { time: new Date(seconds * 1000).toISOString() } }) as ReadEvent

const timeline = async (speed: number | undefined, seconds: readonly number[]) => {
  let clock = 0
  const wait = async (ms: number) => {
    clock += ms
  }
  const paced = paceOf(speed, () => clock, wait)
  const seen: [at: number, events: string[]][] = []
  for await (const due of paced(seconds.map(eventAt), new AbortController().signal))
    seen.push([clock, due.map(({ line }) => line)])
  return seen
}

it('passes on everything at once at full speed', async () => {
  expect(await timeline(undefined, [0, 3600])).toEqual([[0, ['0', '3600']]])
})

it('keeps the pauses in which things happened, so many times shorter', async () => {
  expect(await timeline(60, [0, 0, 60, 45, 600])).toEqual([
    [0, ['0', '0']],
    [1000, ['60', '45']],
    [10_000, ['600']],
  ])
})

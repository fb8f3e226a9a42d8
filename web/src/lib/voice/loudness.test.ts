import { expect, it } from 'vitest'
import { loudnessOf, waveformOf } from './loudness.ts'

it('is silent for silence and full for a full tone', () => {
  expect(loudnessOf(new Float32Array(256))).toBe(0)
  expect(loudnessOf(new Float32Array(256).fill(1))).toBe(1)
  expect(loudnessOf(new Float32Array(0))).toBe(0)
})

it('makes 64 bars of any length of sound, the loud part where it was', () => {
  const levels = new Array<number>(640).fill(0.1)
  levels[320] = 1
  const bars = waveformOf(levels)
  expect(bars).toHaveLength(64)
  expect(bars[32]).toBe(100)
  expect(bars.filter((bar) => bar === 10)).toHaveLength(63)
})

it('stretches a short sound and has bars for none', () => {
  expect(waveformOf([0, 1]).filter((bar) => bar === 100)).toHaveLength(32)
  expect(waveformOf([])).toEqual(new Array(64).fill(0))
})

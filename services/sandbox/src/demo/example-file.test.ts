import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { examplePicture, examplePictureSize } from './example-picture.ts'
import { exampleVoice } from './example-voice.ts'
import { MORNING } from './morning.ts'

test('the pictures are real, differ, and weigh a few kilobytes', () => {
  const pictures = [0, 1, 2, 3].map(examplePicture)
  for (const picture of pictures) {
    expect(PNG.sync.read(picture)).toMatchObject(examplePictureSize)
    expect(picture.length).toBeLessThan(64 * 1024)
  }
  expect(new Set(pictures.map((picture) => picture.toString('base64'))).size).toBe(pictures.length)
})

test('the voice note is Opus in Ogg, with its loudness', () => {
  expect(exampleVoice.bytes.subarray(0, 4).toString()).toBe('OggS')
  expect(exampleVoice.bytes.includes('OpusHead')).toBe(true)
  expect(exampleVoice.waveform).toHaveLength(64)
  expect(exampleVoice.waveform.every((loudness) => loudness >= 0 && loudness <= 100)).toBe(true)
})

test('the morning has conversations of every kind, each person once, listed in order', () => {
  expect(new Set(MORNING.map(({ number }) => number)).size).toBe(MORNING.length)
  for (const state of ['waiting', 'attending', 'resolved']) {
    expect(MORNING.filter(({ ends }) => ends === state).length).toBeGreaterThanOrEqual(3)
  }
  for (const { number, lines, ends } of MORNING) {
    expect(number).toMatch(/^9\d{8}$/)
    const times = lines.flatMap(({ ago }) => ago ?? [])
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(lines.some(({ by }) => by === 'prosa')).toBe(ends !== 'waiting')
  }
})

/** WhatsApp's own waveforms have 64 values. */
const bars = 64
const loudest = 100

/** Samples from -1 to 1 → 0 to 1; speech fills most of the range. */
export const loudnessOf = (samples: Float32Array): number => {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length)
  return Math.min(1, Math.sqrt(power) * 4)
}

/** Levels from 0 to 1 → 64 values from 0 to 100. */
export const waveformOf = (levels: readonly number[]): number[] =>
  Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / bars)
    const part = levels.slice(from, Math.max(from + 1, Math.floor(((bar + 1) * levels.length) / bars)))
    return Math.round(Math.max(0, ...part) * loudest)
  })

/** From 0 to 1, by mulberry32. */
export type Random = () => number

export const seededRandom = (seed: number): Random => {
  let state = Math.imul(seed, 0x9e3779b1) | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const between = (random: Random, from: number, to: number): number => from + random() * (to - from)

export const wholeBetween = (random: Random, from: number, to: number): number =>
  Math.floor(between(random, from, to + 1))

export const oneOf = <T>(random: Random, choices: readonly [T, ...T[]]): T =>
  choices[Math.floor(random() * choices.length)] ?? choices[0]

export const happens = (random: Random, probability: number): boolean => random() < probability

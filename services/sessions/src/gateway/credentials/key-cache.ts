import { type LruMap, lruMap } from '@prosa/kernel/lru-map'

export type KeyCache = LruMap<string, string>

/** Bytes of an entry beside its characters. */
const overhead = 120

/** A character is one byte: names and texts are ASCII. */
export const keyCache = (maxBytes: number): KeyCache =>
  lruMap(maxBytes, (name, text) => name.length + text.length + overhead)

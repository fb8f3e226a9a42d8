import { type LruMap, lruMap } from '@prosa/kernel/lru-map'

export type KeyMemory = LruMap<string, string>

/** Bytes of an entry beside its characters. */
const overhead = 120

/** A character is one byte: names and texts are ASCII. */
export const keyMemory = (maxBytes: number): KeyMemory =>
  lruMap(maxBytes, (name, text) => name.length + text.length + overhead)

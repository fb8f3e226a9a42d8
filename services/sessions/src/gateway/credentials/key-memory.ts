import { type LruMap, lruMap } from '@prosa/kernel/lru-map'

export type KeyMemory = LruMap<string, string>

/** What an entry costs beside its characters: places in a map and two heads of strings, in bytes. */
const overhead = 120

/**
 * Texts by name, at most so many bytes of them (a character is one byte: names and texts are ASCII). What was used longest ago
 * is forgotten first, whosever it is.
 */
export const keyMemory = (maxBytes: number): KeyMemory =>
  lruMap(maxBytes, (name, text) => name.length + text.length + overhead)

import type { LruMap } from '@prosa/kernel/lru-map'

export type KeyMemory = LruMap<string, string>

/** What an entry costs beside its characters: places in a map and two heads of strings, in bytes. */
const overhead = 120

/**
 * Texts by name, at most so many bytes of them (a character is one byte: names and texts are ASCII). What was used longest ago
 * is forgotten first, whosever it is.
 */
export const keyMemory = (mostBytes: number): KeyMemory => {
  const texts = new Map<string, string>()
  let held = 0

  const forget = (name: string) => {
    const text = texts.get(name)
    if (text === undefined) return
    texts.delete(name)
    held -= name.length + text.length + overhead
  }

  return {
    get(name) {
      const text = texts.get(name)
      if (text === undefined) return undefined
      texts.delete(name)
      texts.set(name, text)
      return text
    },
    set(name, text) {
      forget(name)
      texts.set(name, text)
      held += name.length + text.length + overhead
      for (const oldest of texts.keys()) {
        if (held <= mostBytes) return
        forget(oldest)
      }
    },
    delete: forget,
  }
}

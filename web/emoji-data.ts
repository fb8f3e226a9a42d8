import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

interface EmojibaseEmoji {
  emoji: string
  label: string
  tags?: string[]
  group?: number
  order?: number
  version: number
}

/** Devices that are a few years old draw nothing newer. */
const newestVersion = 15
/** Skin tones and hair, which stand for nothing alone. */
const components = 2

const name = 'virtual:emojis'
const id = `\0${name}`

/**
 * `virtual:emojis`: every emoji with its Portuguese name and words, as rows [emoji, name, group, words]. Emojibase's own file has
 * three times as much, and would be fetched from somebody else's server.
 */
export const emojiData = (): Plugin => ({
  name: 'emoji-data',
  resolveId: (asked) => (asked === name ? id : undefined),
  load(asked) {
    if (asked !== id) return undefined
    const all = createRequire(import.meta.url)('emojibase-data/pt/data.json') as EmojibaseEmoji[]
    const rows = all
      .filter(({ group, version }) => group !== undefined && group !== components && version <= newestVersion)
      .sort((one, other) => (one.order ?? 0) - (other.order ?? 0))
      .map(({ emoji, label, group, tags = [] }) => [emoji, label, group, tags.join('|')])
    return `export default JSON.parse(${JSON.stringify(JSON.stringify(rows))})`
  },
})

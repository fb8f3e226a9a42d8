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

/** Devices a few years old cannot draw newer emojis. */
const newestVersion = 15
const components = 2

const name = 'virtual:emojis'
const id = `\0${name}`

/** Emojibase's own file is three times as large and comes from another server. */
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

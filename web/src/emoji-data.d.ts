declare module 'virtual:emojis' {
  /** Emoji, its name, its group in Emojibase, and words by which it is found, joined by '|'. */
  const rows: readonly [emoji: string, label: string, group: number, words: string][]
  export default rows
}

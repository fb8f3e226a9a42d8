declare module 'virtual:emojis' {
  /** `group` is Emojibase's number; `words` are joined by '|'. */
  const rows: readonly [emoji: string, label: string, group: number, words: string][]
  export default rows
}

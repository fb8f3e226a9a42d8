/** Normalized by `plainText`. */
export interface Keywords {
  flowId: string
  match: 'equals' | 'contains'
  words: readonly string[]
}

export interface KeywordIndex {
  /** Keyword equals the text or is a separate word in it. `count.steps` counts comparisons. */
  flowsIn(plain: string, count?: { steps: number }): ReadonlySet<string>
}

const isPartOfWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)

const flowsByWord = (flows: readonly Keywords[], wanted: Keywords['match']): Map<string, string[]> => {
  const found = new Map<string, string[]>()
  for (const { flowId, match, words } of flows) {
    if (match !== wanted) continue
    for (const word of words) {
      const known = found.get(word)
      if (known) known.push(flowId)
      else found.set(word, [flowId])
    }
  }
  return found
}

/** Index of each word's longest proper prefix in the list; -1 for none. */
const beginnings = (words: readonly string[]): Int32Array => {
  const found = new Int32Array(words.length).fill(-1)
  const open: number[] = []
  for (const [index, word] of words.entries()) {
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      if (word.startsWith(words[last] ?? '')) {
        found[index] = last
        break
      }
      open.pop()
    }
    open.push(index)
  }
  return found
}

/** Index of the last word not after the text: all prefixes of the text are also prefixes of that word. */
const lastUpTo = (words: readonly string[], text: string, count: { steps: number }): number => {
  let [low, high] = [0, words.length]
  while (low < high) {
    count.steps++
    const middle = (low + high) >> 1
    if ((words[middle] ?? '') <= text) low = middle + 1
    else high = middle
  }
  return low - 1
}

const sharedLength = (one: string, other: string): number => {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** Binary search at each word start. Cost: text length × log(number of keywords). */
export const keywordIndex = (flows: readonly Keywords[]): KeywordIndex => {
  const whole = flowsByWord(flows, 'equals')
  const contained = flowsByWord(flows, 'contains')
  const words = [...contained.keys()].filter((word) => word !== '').sort()
  const beginsWith = beginnings(words)
  const longest = words.reduce((length, word) => Math.max(length, word.length), 0)

  return {
    flowsIn(plain, count = { steps: 0 }) {
      const found = new Set(plain === '' ? [] : whole.get(plain))
      const seen = new Set<number>()
      for (let at = 0; words.length > 0 && at < plain.length; at++) {
        if (isPartOfWord(plain[at - 1])) continue
        const rest = plain.slice(at, at + longest)
        let index = lastUpTo(words, rest, count)
        const shared = sharedLength(words[index] ?? '', rest)
        for (; index >= 0; index = beginsWith[index] ?? -1) {
          count.steps++
          const word = words[index] ?? ''
          if (word.length > shared || seen.has(index) || isPartOfWord(plain[at + word.length])) continue
          seen.add(index)
          for (const flowId of contained.get(word) ?? []) found.add(flowId)
        }
      }
      return found
    },
  }
}

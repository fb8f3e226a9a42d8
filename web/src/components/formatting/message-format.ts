import { webAddress } from './web-address.tsx'

export type Style = 'bold' | 'italic' | 'strike'

/** The kind implies the delimiters. */
export type Inline =
  | { kind: 'text' | 'link' | 'code' | 'mono'; text: string }
  | { kind: Style; children: readonly Inline[] }

/** `mark` is the prefix: '> ', '- ', '12. '. */
export interface Line {
  mark: string
  content: readonly Inline[]
}

/** Consecutive lines of one kind. */
export interface Block {
  kind: 'text' | 'quote' | 'bullets' | 'numbers'
  lines: readonly Line[]
}

const styles: Record<string, Style> = { '*': 'bold', _: 'italic', '~': 'strike' }
const marks: Record<Style, string> = { bold: '*', italic: '_', strike: '~' }

const word = /[\p{L}\p{N}]/u
const blank = /\s/

/** Plain, or a possible delimiter. */
type Token = Inline | { kind: 'mark'; text: string; opens: boolean; closes: boolean }

const codeUnit = /[*_~`]/

/** Marks are at word edges: 2*3*4 and snake_case are plain. */
const tokensOf = (text: string, before: string, after: string): Token[] => {
  const tokens: Token[] = []
  const at = (index: number) => (index < 0 ? before : index >= text.length ? after : (text[index] ?? ''))
  let plainFrom = 0
  let hasBackticks = true
  const endPlain = (index: number) => {
    if (index > plainFrom) tokens.push({ kind: 'text', text: text.slice(plainFrom, index) })
  }
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? ''
    if (!codeUnit.test(character)) continue
    if (character === '`') {
      const end: number = hasBackticks ? text.indexOf('`', index + 1) : -1
      hasBackticks = end !== -1
      if (end <= index + 1 || text.slice(index + 1, end).trim() === '') continue
      endPlain(index)
      tokens.push({ kind: 'code', text: text.slice(index + 1, end) })
      index = end
      plainFrom = end + 1
      continue
    }
    endPlain(index)
    const [left, right] = [at(index - 1), at(index + 1)]
    tokens.push({
      kind: 'mark',
      text: character,
      opens: !word.test(left) && right !== '' && !blank.test(right),
      closes: left !== '' && !blank.test(left) && !word.test(right),
    })
    plainFrom = index + 1
  }
  endPlain(text.length)
  return tokens
}

/** `pieces`: text, and code found before; links and code are atomic. */
const lineTokens = (pieces: readonly (string | Inline)[]): Token[] =>
  pieces.flatMap((piece, at): Token[] => {
    if (typeof piece !== 'string') return [piece]
    const parts = piece.split(webAddress)
    return parts.flatMap((part, index): Token[] => {
      if (index % 2 === 1) return [{ kind: 'link', text: part }]
      // Beside a link or code there is neither word nor blank.
      const before = index > 0 || at > 0 ? '`' : ''
      const after = index < parts.length - 1 || at < pieces.length - 1 ? '`' : ''
      return tokensOf(part, before, after)
    })
  })

interface Open {
  style: Style
  children: Inline[]
}

const asText = (text: string): Inline => ({ kind: 'text', text })

/** Linear time: each mark is pushed and popped once, and no style nests in itself. */
const inlineOf = (pieces: readonly (string | Inline)[]): Inline[] => {
  const root: Inline[] = []
  const open: Open[] = []
  const current = () => open.at(-1)?.children ?? root
  /** Marks opened above `depth` and never closed are text. */
  const dropTo = (depth: number) => {
    while (open.length > depth) {
      const last = open.pop()
      if (!last) return
      current().push(asText(marks[last.style]))
      // Not spread: calls limit their arguments.
      for (const child of last.children) current().push(child)
    }
  }
  for (const token of lineTokens(pieces)) {
    if (token.kind !== 'mark') {
      current().push(token)
      continue
    }
    const style = styles[token.text]
    const depth = open.findIndex((each) => each.style === style)
    if (style && token.closes && depth !== -1 && hasContent(open, depth)) {
      dropTo(depth + 1)
      const children = open.pop()?.children ?? []
      current().push({ kind: style, children })
    } else if (style && token.opens && depth === -1) open.push({ style, children: [] })
    else current().push(asText(token.text))
  }
  dropTo(0)
  return root
}

const hasContent = (open: readonly Open[], depth: number): boolean =>
  depth < open.length - 1 || (open[depth]?.children.length ?? 0) > 0

/** Extracts text between three backticks, which may span lines. */
const piecesOf = (text: string): (string | Inline)[] => {
  const pieces: (string | Inline)[] = []
  const parts = text.split('```')
  let plain = parts[0] ?? ''
  for (let index = 1; index < parts.length; index++) {
    const part = parts[index] ?? ''
    const isClosed = index < parts.length - 1
    if (!isClosed || part.trim() === '') plain += `\`\`\`${part}`
    else {
      pieces.push(plain, { kind: 'mono', text: part })
      index++
      plain = parts[index] ?? ''
    }
  }
  return [...pieces, plain].filter((piece) => piece !== '')
}

const linesOf = (text: string): (string | Inline)[][] => {
  const lines: (string | Inline)[][] = [[]]
  for (const piece of piecesOf(text)) {
    const [first = '', ...others] = typeof piece === 'string' ? piece.split('\n') : [piece]
    lines.at(-1)?.push(first)
    for (const other of others) lines.push([other])
  }
  return lines.map((line) => line.filter((piece) => piece !== ''))
}

const kinds: { kind: Block['kind']; mark: RegExp }[] = [
  { kind: 'quote', mark: /^> ?/ },
  { kind: 'bullets', mark: /^[*-] (?=\S)/ },
  { kind: 'numbers', mark: /^\d{1,3}\. (?=\S)/ },
]

const lineOf = (pieces: readonly (string | Inline)[]): Line & Pick<Block, 'kind'> => {
  const [first] = pieces
  for (const { kind, mark } of kinds) {
    const found = typeof first === 'string' ? mark.exec(first)?.[0] : undefined
    if (typeof first !== 'string' || found === undefined) continue
    return { kind, mark: found, content: inlineOf([first.slice(found.length), ...pieces.slice(1)]) }
  }
  return { kind: 'text', mark: '', content: inlineOf(pieces) }
}

/** *bold*, _italic_, ~struck~, `code`, ```mono```, quotes and lists. Linear time; `writtenAs` is the exact inverse. */
export const messageFormat = (text: string): Block[] => {
  const blocks: { kind: Block['kind']; lines: Line[] }[] = []
  for (const { kind, ...line } of linesOf(text).map(lineOf)) {
    const last = blocks.at(-1)
    if (last?.kind === kind) last.lines.push(line)
    else blocks.push({ kind, lines: [line] })
  }
  return blocks
}

const inlineAs = (part: Inline): string => {
  if ('children' in part) return marks[part.kind] + part.children.map(inlineAs).join('') + marks[part.kind]
  if (part.kind === 'code') return `\`${part.text}\``
  return part.kind === 'mono' ? `\`\`\`${part.text}\`\`\`` : part.text
}

export const writtenAs = (blocks: readonly Block[]): string =>
  blocks
    .flatMap(({ lines }) => lines)
    .map(({ mark, content }) => mark + content.map(inlineAs).join(''))
    .join('\n')

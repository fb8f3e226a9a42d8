import { withoutMarks } from '../values/text/without-marks.ts'
import type { FlowStart } from './flow-document.ts'

export interface Starter {
  flowId: string
  /** Null: nothing starts it. */
  start: FlowStart | null
  /** Empty: all. */
  connectionIds: readonly string[]
}

/** The most specific first: it wins. */
const kinds: readonly FlowStart['kind'][] = ['keyword', 'first_contact', 'out_of_hours', 'any_message', 'label_set']

const plain = (text: string): string => withoutMarks(text, 'NFD').toLowerCase().replace(/\s+/g, ' ').trim()

const isIn = (word: string, text: string): boolean => word !== '' && ` ${text} `.includes(` ${word} `)

type Keyword = Extract<FlowStart, { kind: 'keyword' }>

/** A message that is a word of one sets off the other too. */
const shareWord = (one: Keyword, other: Keyword): boolean => {
  const [words, others] = [one.words.map(plain), other.words.map(plain)]
  return words.some((word) =>
    others.some(
      (each) =>
        (word !== '' && word === each) ||
        (other.match === 'contains' && isIn(each, word)) ||
        (one.match === 'contains' && isIn(word, each)),
    ),
  )
}

const shareMessage = (one: FlowStart, other: FlowStart): boolean => {
  if (one.kind === 'label_set' || other.kind === 'label_set')
    return one.kind === 'label_set' && other.kind === 'label_set' && one.labelId === other.labelId
  return one.kind !== 'keyword' || other.kind !== 'keyword' || shareWord(one, other)
}

const shareLine = (one: Starter, other: Starter): boolean =>
  one.connectionIds.length === 0 ||
  other.connectionIds.length === 0 ||
  one.connectionIds.some((id) => other.connectionIds.includes(id))

export interface Meeting {
  flowId: string
  /** Which of both starts by a message that sets off both. */
  winner: 'this' | 'other'
  by: 'trigger' | 'order'
}

/** The flows that a message may set off together with this one. `others` are in the tenant's order, this one among them or not. */
export const meetingsOf = (flow: Starter, others: readonly Starter[]): Meeting[] => {
  const { start, flowId } = flow
  if (!start) return []
  const at = others.findIndex((each) => each.flowId === flowId)
  const ownIndex = at < 0 ? others.length : at
  return others.flatMap((other, index): Meeting[] => {
    if (other.flowId === flowId || !other.start || !shareLine(flow, other) || !shareMessage(start, other.start))
      return []
    const difference = kinds.indexOf(start.kind) - kinds.indexOf(other.start.kind)
    const isFirst = difference === 0 ? ownIndex < index : difference < 0
    return [{ flowId: other.flowId, winner: isFirst ? 'this' : 'other', by: difference === 0 ? 'order' : 'trigger' }]
  })
}

import { type FlowTest, textsOf } from '@prosa/contracts/flows/flow-document'
import { brazilianNumber } from '@prosa/contracts/values/answers/read-number'
import type { FlowFacts } from '../flow-facts.ts'
import type { TextReader } from './text-reader.ts'

type NumberTest = Extract<FlowTest, { kind: 'number' }>

const compares: Record<NumberTest['comparison'], (one: number, other: number) => boolean> = {
  equal: (one, other) => one === other,
  above: (one, other) => one > other,
  below: (one, other) => one < other,
}

/** Unset variables count as empty text. */
export const doesHold = (
  test: FlowTest,
  variables: Readonly<Record<string, string>>,
  { isOpen, labelIds }: Pick<FlowFacts, 'isOpen' | 'labelIds'>,
  reader: TextReader,
): boolean => {
  if (test.kind === 'open') return isOpen
  if (test.kind === 'label') return test.labelId !== null && labelIds.includes(test.labelId)
  const value = Object.hasOwn(variables, test.variable) ? (variables[test.variable] ?? '') : ''
  switch (test.kind) {
    case 'equals':
      return textsOf(test).some((text) => reader.plain(value) === reader.plain(text))
    case 'contains':
      return textsOf(test).some((text) => reader.plain(value).includes(reader.plain(text)))
    case 'matches':
      return reader.matches(test.pattern, value)
    case 'number': {
      const number = brazilianNumber(value)
      return number !== undefined && compares[test.comparison](number, test.value)
    }
    case 'yes':
    case 'no':
      return reader.yesOrNo(value) === test.kind
  }
}

import type { FlowTest } from '@prosa/contracts/flows/flow-document'
import { brazilianNumber } from './brazilian-number.ts'
import type { FlowFacts } from './flow-facts.ts'
import type { Patterns } from './pattern.ts'
import { plainText } from './plain-text.ts'
import { yesOrNo } from './yes-or-no.ts'

type NumberTest = Extract<FlowTest, { kind: 'number' }>

const compares: Record<NumberTest['comparison'], (one: number, other: number) => boolean> = {
  equal: (one, other) => one === other,
  above: (one, other) => one > other,
  below: (one, other) => one < other,
}

/** Whether a condition of a flow holds. What is asked of a variable that nobody has set is asked of an empty text. */
export const doesHold = (
  test: FlowTest,
  variables: Readonly<Record<string, string>>,
  { isOpen, labelIds }: Pick<FlowFacts, 'isOpen' | 'labelIds'>,
  patterns: Patterns,
): boolean => {
  if (test.kind === 'open') return isOpen
  if (test.kind === 'label') return test.labelId !== null && labelIds.includes(test.labelId)
  const value = Object.hasOwn(variables, test.variable) ? (variables[test.variable] ?? '') : ''
  switch (test.kind) {
    case 'equals':
      return plainText(value) === plainText(test.value)
    case 'contains':
      return plainText(value).includes(plainText(test.value))
    case 'matches':
      return patterns.matches(test.pattern, value)
    case 'number': {
      const number = brazilianNumber(value)
      return number !== undefined && compares[test.comparison](number, test.value)
    }
    case 'yes':
    case 'no':
      return yesOrNo(value) === test.kind
  }
}

import { specify } from '@prosa/kernel/domain/specify'
import { describe, it } from 'vitest'
import { defaultFlow } from './default-flow.ts'

const given = specify(defaultFlow)
const welcome = 'c2b4a1de-91c4-4f0e-8a53-6f0a2f1b7d33'
const choose = (flowId: string | null) => ({ type: 'ChooseDefaultFlow', data: { flowId } }) as const
const chosen = (flowId: string | null) => ({ type: 'DefaultFlowChosen', data: { flowId } }) as const

describe('the flow for new contacts', () => {
  it('is chosen, and chosen again only where it is another', () => {
    given().when(choose(welcome)).then(chosen(welcome))
    given(chosen(welcome)).when(choose(welcome)).thenNothing()
  })
  it('may be none again', () => {
    given(chosen(welcome)).when(choose(null)).then(chosen(null))
    given().when(choose(null)).thenNothing()
  })
})

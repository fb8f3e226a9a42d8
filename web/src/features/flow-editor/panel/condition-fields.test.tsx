import type { FlowDocument, FlowNodeOf, FlowTest } from '@prosa/contracts/flows/flow-document'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useReducer } from 'react'
import { describe, expect, it } from 'vitest'
import { copiedNodes, pastedNodes } from '../clipboard.ts'
import { editing, flowEdits } from '../state/flow-edits.ts'
import { flowId, renderPart, someFlow, someNode } from '../testing/flow-part.tsx'
import { ConditionFields } from './condition-fields.tsx'

let latest: FlowDocument
const isCondition = (node: FlowDocument['nodes'][number]): node is FlowNodeOf<'condition'> => node.type === 'condition'

const Panel = ({ document }: { document: FlowDocument }) => {
  const [state, edit] = useReducer(flowEdits, editing(document))
  latest = state.document
  const node = state.document.nodes.find(isCondition)
  if (!node) return null
  return (
    <ConditionFields
      {...{ flowId, node }}
      document={state.document}
      onChange={(data) => edit({ type: 'change', nodeId: node.id, data })}
    />
  )
}

const open = (test: FlowTest) =>
  renderPart(<Panel document={someFlow([someNode('trigger', 'a'), someNode('condition', 'se', { test })], 'a>se')} />)
const testNow = () => latest.nodes.find(isCondition)?.data.test

describe('the fields of a condition', () => {
  it('take several texts, with commas, and need one', async () => {
    open({ kind: 'yes', variable: 'resposta' })
    await userEvent.selectOptions(screen.getByLabelText('Verdadeiro quando'), 'contains')
    expect(screen.queryByText('Escreva pelo menos um texto.')).not.toBeNull()
    await userEvent.type(screen.getByRole('textbox', { name: 'Textos' }), 'bolo{Enter}R$ 10,50{Enter}bolo{Enter}')
    expect(testNow()).toEqual({ kind: 'contains', variable: 'resposta', values: ['bolo', 'R$ 10,50'] })
    expect(screen.queryByText('Escreva pelo menos um texto.')).toBeNull()
    await userEvent.type(screen.getByRole('textbox', { name: 'Textos' }), '{Backspace}')
    expect(testNow()).toEqual({ kind: 'contains', variable: 'resposta', values: ['bolo'] })
  })

  it('show the one text of a flow of before, and add others to it', async () => {
    open({ kind: 'equals', variable: 'resposta', value: 'preço' })
    expect(within(screen.getByRole('list', { name: 'Textos' })).getAllByRole('listitem')).toHaveLength(1)
    await userEvent.type(screen.getByRole('textbox', { name: 'Textos' }), 'quanto custa{Enter}')
    expect(testNow()).toEqual({ kind: 'equals', variable: 'resposta', values: ['preço', 'quanto custa'] })
    const copied = pastedNodes(copiedNodes(latest, ['se']))
    expect(copied?.nodes[0]?.data).toEqual(latest.nodes.find(isCondition)?.data)
  })

  it('carry the first text over to a number', async () => {
    open({ kind: 'contains', variable: 'resposta', values: ['12', 'doze'] })
    await userEvent.selectOptions(screen.getByLabelText('Verdadeiro quando'), 'number')
    expect(testNow()).toEqual({ kind: 'number', variable: 'resposta', comparison: 'equal', value: 12 })
  })
})

import type { FlowDocument, FlowNodeOf } from '@prosa/contracts/flows/flow-document'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useReducer } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { prosaServer, withProsaServer } from '../../../../test/prosa-server.ts'
import { editing, flowEdits } from '../state/flow-edits.ts'
import { flowId, renderPart, someFlow, someNode } from '../testing/flow-part.tsx'
import { CalculationFields } from './calculation-fields.tsx'

withProsaServer()

let latest: FlowDocument
const calculationOf = ({ nodes }: FlowDocument) => {
  const node = nodes.find((each): each is FlowNodeOf<'calculation'> => each.type === 'calculation')
  if (!node) throw new Error('no calculation')
  return node
}

const Panel = ({ document }: { document: FlowDocument }) => {
  const [state, edit] = useReducer(flowEdits, editing(document))
  latest = state.document
  const node = calculationOf(state.document)
  return (
    <CalculationFields
      {...{ flowId, node }}
      document={state.document}
      onChange={(data) => edit({ type: 'change', nodeId: node.id, data })}
    />
  )
}

beforeEach(() => {
  prosaServer.use(
    http.get('/api/contact-fields', () =>
      HttpResponse.json([
        { id: 'n', name: 'Último total', type: 'number', variable: 'ultimo_total' },
        { id: 'd', name: 'Nascimento', type: 'date', variable: 'nascimento' },
      ]),
    ),
  )
})

describe('the fields of a calculation', () => {
  it('take what is calculated, where it is stored and its decimals', async () => {
    renderPart(<Panel document={someFlow([someNode('trigger', 'inicio'), someNode('calculation', 'conta')])} />)
    await userEvent.click(screen.getByLabelText('Conta'))
    await userEvent.paste('({resposta} + 1) * 2,50')
    await userEvent.clear(screen.getByLabelText('Guardar o resultado em'))
    await userEvent.type(screen.getByLabelText('Guardar o resultado em'), 'Valor Total')
    await userEvent.selectOptions(screen.getByLabelText('Casas decimais'), 'As que tiver, até quatro')
    await screen.findByRole('option', { name: 'Último total' })
    expect(screen.queryByRole('option', { name: 'Nascimento' })).toBeNull()
    await userEvent.selectOptions(screen.getByLabelText('Guardar também no contato'), 'Último total')
    expect(calculationOf(latest).data).toEqual({
      ...{ expression: '({resposta} + 1) * 2,50', variable: 'valor_total', decimals: null, fieldId: 'n' },
    })
  })

  it('say what is wrong beside the expression, which has at most 200 characters', async () => {
    renderPart(<Panel document={someFlow([someNode('trigger', 'inicio'), someNode('calculation', 'conta')])} />)
    await userEvent.click(screen.getByLabelText('Conta'))
    await userEvent.paste('2 / 0')
    expect(screen.getByText('A conta não dá certo: não dá para dividir por zero.')).toBeTruthy()
    await userEvent.paste(' fetch(1)')
    expect(screen.getByText(/^Use números, variáveis/)).toBeTruthy()
    await userEvent.paste('1'.repeat(300))
    expect(calculationOf(latest).data.expression).toHaveLength(200)
  })
})

import type { FlowDocument, FlowNodeOf } from '@prosa/contracts/flows/flow-document'
import { menuOutputs } from '@prosa/contracts/flows/flow-document'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useReducer } from 'react'
import { describe, expect, it } from 'vitest'
import { editing, flowEdits } from '../state/flow-edits.ts'
import { flowId, renderPart, someFlow, someNode } from '../testing/flow-part.tsx'
import { MenuFields } from './menu-fields.tsx'

let latest: FlowDocument
const Panel = ({ document }: { document: FlowDocument }) => {
  const [state, edit] = useReducer(flowEdits, editing(document))
  latest = state.document
  const node = state.document.nodes.find((each): each is FlowNodeOf<'menu'> => each.type === 'menu')
  if (!node) return null
  return (
    <MenuFields
      {...{ flowId, node }}
      document={state.document}
      onChange={(data) => edit({ type: 'change', nodeId: node.id, data })}
    />
  )
}

const menuNow = () => {
  const node = latest.nodes.find((each): each is FlowNodeOf<'menu'> => each.type === 'menu')
  if (!node) throw new Error('no menu')
  return node.data
}
const option = (output: (typeof menuOutputs)[number], label: string) => ({ output, label, words: [] })

const open = (data: Partial<FlowNodeOf<'menu'>['data']> = {}) =>
  renderPart(
    <Panel
      document={someFlow(
        [someNode('trigger', 'inicio'), someNode('menu', 'menu', data), someNode('message', 'fim')],
        'inicio>menu',
        'menu.option_1>fim',
        'menu.option_2>fim',
      )}
    />,
  )

describe('the fields of a menu', () => {
  it('add options up to ten, each with an output that no other has', async () => {
    open()
    for (let each = 3; each <= 10; each++)
      await userEvent.click(screen.getByRole('button', { name: 'Adicionar opção' }))
    expect(screen.queryByRole('button', { name: 'Adicionar opção' })).toBeNull()
    expect(menuNow().options.map(({ output }) => output)).toEqual([...menuOutputs])
    await userEvent.type(screen.getByLabelText('Opção 3'), 'Tortas')
    expect(menuNow().options[2]).toEqual({ output: 'option_3', label: 'Tortas', words: [] })
  })

  it('delete an option with its way, and leave two', async () => {
    open({ options: [option('option_1', 'Bolos'), option('option_2', 'Pães'), option('option_3', 'Tortas')] })
    await userEvent.click(screen.getByRole('button', { name: 'Excluir a opção 1' }))
    expect(menuNow().options.map(({ label }) => label)).toEqual(['Pães', 'Tortas'])
    expect(latest.links.map(({ sourceHandle }) => sourceHandle)).toEqual([null, 'option_2'])
    expect(screen.queryByRole('button', { name: /Excluir a opção/ })).toBeNull()
  })

  it('take words that choose an option too', async () => {
    open()
    await userEvent.type(screen.getByLabelText('Palavras que também escolhem a opção 1'), 'encomenda, festa{Enter}')
    expect(menuNow().options[0]?.words).toEqual(['encomenda', 'festa'])
    const words = screen.getByRole('list', { name: 'Palavras que também escolhem a opção 1' })
    expect(within(words).getAllByRole('listitem')).toHaveLength(2)
  })

  it('say how often to ask again, and hide the text where it is never', async () => {
    open()
    await userEvent.selectOptions(screen.getByLabelText('Se a resposta não for uma opção'), '0')
    expect(menuNow().attempts).toBe(0)
    expect(screen.queryByLabelText('Texto de “Não entendi”')).toBeNull()
  })
})

import type { FlowDocument, FlowNodeOf } from '@prosa/contracts/flows/flow-document'
import { answerTypes } from '@prosa/contracts/values/answers/answer-type'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { useReducer } from 'react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { copiedNodes, pastedNodes } from '../clipboard.ts'
import { editing, flowEdits } from '../state/flow-edits.ts'
import { flowId, renderPart, someFlow, someNode } from '../testing/flow-part.tsx'
import { QuestionFields } from './other-fields.tsx'

let latest: FlowDocument
const isQuestion = (node: FlowDocument['nodes'][number]): node is FlowNodeOf<'question'> => node.type === 'question'

const Panel = ({ document }: { document: FlowDocument }) => {
  const [state, edit] = useReducer(flowEdits, editing(document))
  latest = state.document
  const node = state.document.nodes.find(isQuestion)
  if (!node) return null
  return (
    <QuestionFields
      {...{ flowId, node }}
      document={state.document}
      onChange={(data) => edit({ type: 'change', nodeId: node.id, data })}
    />
  )
}

const open = (data: Partial<FlowNodeOf<'question'>['data']> = {}) =>
  renderPart(
    <Panel
      document={someFlow(
        [someNode('trigger', 'a'), someNode('question', 'q', data), someNode('message', 'm')],
        'a>q',
        'q.answer>m',
        'q.not_understood>m',
      )}
    />,
  )
const checkNow = () => latest.nodes.find(isQuestion)?.data.check
const typeField = () => screen.getByLabelText('Tipo de resposta')

describe('the fields of a checked question', () => {
  it('take any answer until a type is chosen, each with its own text to ask again', async () => {
    open()
    expect((typeField() as HTMLSelectElement).value).toBe('any')
    expect(screen.queryByLabelText('Texto de “Não entendi”')).toBeNull()
    const texts = new Set<string>()
    for (const type of answerTypes) {
      await userEvent.selectOptions(typeField(), type)
      expect(checkNow()).toMatchObject({ type, attempts: 2 })
      texts.add(checkNow()?.again ?? '')
    }
    expect(texts.size).toBe(answerTypes.length)
  })

  it('leave a text that somebody wrote as it is when the type changes', async () => {
    open({ check: { type: 'date', again: 'Que dia?', attempts: 1 } })
    await userEvent.selectOptions(typeField(), 'number')
    expect(checkNow()).toEqual({ type: 'number', again: 'Que dia?', attempts: 1 })
    await userEvent.selectOptions(screen.getByLabelText('Se a resposta for de outro tipo'), '0')
    expect(checkNow()?.attempts).toBe(0)
    expect(screen.queryByLabelText('Texto de “Não entendi”')).toBeNull()
  })

  it('take the way of "Não entendi" along when nothing is checked any more', async () => {
    open({ check: { type: 'date', again: 'Que dia?', attempts: 1 } })
    await userEvent.selectOptions(typeField(), 'any')
    expect(checkNow()).toBeUndefined()
    expect(latest.links.map(({ sourceHandle }) => sourceHandle)).toEqual([null, 'answer'])
  })

  it('store the answer in a field of the contact, of the same type, which may be created here', async () => {
    const fields: { id: string; name: string; variable: string; type: string }[] = [
      { id: 'c', name: 'Cidade', variable: 'cidade', type: 'text' },
    ]
    const server = setupServer(
      http.get('*/api/contact-fields', () => HttpResponse.json(fields)),
      http.post('*/api/contact-fields', async ({ request }) => {
        const body = (await request.json()) as { name: string; type: string }
        fields.push({ id: 'n', variable: 'nascimento', ...body })
        return HttpResponse.json(fields.at(-1), { status: 201 })
      }),
    )
    server.listen()
    onTestFinished(() => server.close())
    open({ check: { type: 'date', again: 'Que dia?', attempts: 1 } })
    const stored = screen.getByLabelText('Guardar também no contato')
    expect(within(stored).queryByRole('option', { name: 'Cidade' })).toBeNull()
    await userEvent.selectOptions(stored, 'Novo campo...')
    await userEvent.type(await screen.findByLabelText('Nome'), 'Nascimento{Enter}')
    await waitFor(() => expect(checkNow()?.fieldId).toBe('n'))
    expect(fields.at(-1)).toMatchObject({ name: 'Nascimento', type: 'date' })
    await userEvent.selectOptions(typeField(), 'text')
    expect(checkNow()?.fieldId).toBeUndefined()
  })

  it('survive being copied', () => {
    open({ check: { type: 'document', again: 'Confira.', attempts: 2 } })
    expect(pastedNodes(copiedNodes(latest, ['q']))?.nodes[0]?.data).toEqual(latest.nodes.find(isQuestion)?.data)
  })
})

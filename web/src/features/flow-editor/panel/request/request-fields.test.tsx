import type { FlowDocument, FlowNodeOf } from '@prosa/contracts/flows/flow-document'
import type { SentFlowRequest } from '@prosa/contracts/http/flow-runs'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useReducer } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { prosaServer, refuse, withProsaServer } from '../../../../../test/prosa-server.ts'
import { editing, flowEdits } from '../../state/flow-edits.ts'
import { flowId, renderPart, someFlow, someNode } from '../../testing/flow-part.tsx'
import { RequestFields } from './request-fields.tsx'

withProsaServer()

let latest: FlowDocument
const Panel = ({ document }: { document: FlowDocument }) => {
  const [state, edit] = useReducer(flowEdits, editing(document))
  latest = state.document
  const node = state.document.nodes.find((each): each is FlowNodeOf<'request'> => each.type === 'request')
  if (!node) return null
  return (
    <RequestFields
      {...{ flowId, node }}
      document={state.document}
      onChange={(data) => edit({ type: 'change', nodeId: node.id, data })}
    />
  )
}

const requestNow = () => {
  const node = latest.nodes.find((each): each is FlowNodeOf<'request'> => each.type === 'request')
  if (!node) throw new Error('no request')
  return node.data
}

const open = (data: Partial<FlowNodeOf<'request'>['data']> = {}) =>
  renderPart(<Panel document={someFlow([someNode('trigger', 'inicio'), someNode('request', 'consulta', data)])} />)

let secrets: string[]
let stored: unknown[]
let sent: unknown[]
const reply: SentFlowRequest = {
  ...{ status: 200, failure: null, durationMs: 120, attempts: 1, isCut: false },
  ...{ body: '{"situacao": "saiu"}', values: { situacao: 'saiu' } },
}
let answer: () => Response

beforeEach(() => {
  ;[secrets, stored, sent] = [['chave'], [], []]
  answer = () => HttpResponse.json(reply)
  prosaServer.use(
    http.get('/api/flow-secrets', () => HttpResponse.json(secrets.map((name) => ({ name })))),
    http.put('/api/flow-secrets/:name', async ({ params, request }) => {
      stored.push([params.name, await request.json()])
      secrets = [...secrets, String(params.name)]
      return HttpResponse.json({ name: params.name })
    }),
    http.delete('/api/flow-secrets/:name', ({ params }) => {
      secrets = secrets.filter((name) => name !== params.name)
      return HttpResponse.json({ name: params.name })
    }),
    http.post('/api/flow-requests/test', async ({ request }) => {
      sent.push(await request.json())
      return answer()
    }),
  )
})

const type = async (label: string, text: string) => {
  await userEvent.click(screen.getByLabelText(label))
  await userEvent.paste(text)
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('the fields of a request', () => {
  it('take method, address, headers, body and what to store', async () => {
    open()
    await userEvent.selectOptions(screen.getByLabelText('Método'), 'POST')
    await type('Endereço', 'https://api.example/pedidos/{resposta}')
    await press('Adicionar cabeçalho')
    await type('Cabeçalho 1', 'Authorization')
    await type('Valor 1', 'Bearer {{segredo:chave}}')
    await type('Corpo (JSON)', '{"n": {resposta}}')
    await press('Guardar um valor da resposta')
    await type('Caminho 1', 'pedido.situacao')
    await type('Variável 1', 'Situacao Atual')
    expect(requestNow()).toEqual({
      title: '',
      method: 'POST',
      url: 'https://api.example/pedidos/{resposta}',
      headers: [{ name: 'Authorization', value: 'Bearer {{segredo:chave}}' }],
      body: '{"n": {resposta}}',
      results: [{ path: 'pedido.situacao', variable: 'situacao_atual' }],
    })
    await press('Excluir o cabeçalho 1')
    await press('Excluir o valor da resposta 1')
    expect(requestNow()).toMatchObject({ headers: [], results: [] })
  })

  it('say what is wrong beside the field, and then send nothing', async () => {
    open({ method: 'POST', url: 'https://{resposta}/', body: '{x: 1}' })
    expect(screen.getByText('Comece por https:// e use variáveis só depois do domínio.')).toBeTruthy()
    expect(screen.getByText('Este JSON não é válido.')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Enviar agora' }).disabled).toBe(true)
  })

  it('send it once with sample values, and show the reply', async () => {
    const results = [{ path: 'situacao', variable: 'situacao' }]
    open({ url: 'https://api.example/{pedido}', results })
    await type('Valor de {pedido}', '1234')
    await press('Enviar agora')
    expect(await screen.findByText('Deu certo: 200, em 120 ms.')).toBeTruthy()
    expect(screen.getByLabelText('Resposta').textContent).toBe('{"situacao": "saiu"}')
    expect(within(screen.getByLabelText('Valores da resposta')).getByText('saiu')).toBeTruthy()
    expect(sent).toMatchObject([{ values: { pedido: '1234' }, request: { url: 'https://api.example/{pedido}' } }])
    answer = () => HttpResponse.json({ ...reply, status: 404, failure: 'status', values: {} } satisfies SentFlowRequest)
    await press('Enviar agora')
    expect(await screen.findByText('Deu errado: o servidor recusou (404).')).toBeTruthy()
    answer = () => refuse('too_many_flow_requests')
    await press('Enviar agora')
    expect(await screen.findByText(/limite de requisições/)).toBeTruthy()
  })

  it('store a secret whose value is not shown again, and delete one after asking', async () => {
    open()
    expect(await screen.findByText('{{segredo:chave}}')).toBeTruthy()
    await press('Novo segredo')
    await type('Nome do segredo', 'Chave Do Estoque')
    await type('Valor do segredo', 'sk-123')
    await press('Guardar segredo')
    expect(await screen.findByText('{{segredo:chave_do_estoque}}')).toBeTruthy()
    expect(stored).toEqual([['chave_do_estoque', { value: 'sk-123' }]])
    expect(screen.queryByLabelText('Valor do segredo')).toBeNull()
    await press('Excluir o segredo chave')
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Excluir' }))
    await screen.findByText('Segredo chave excluído')
    expect(screen.queryByText('{{segredo:chave}}')).toBeNull()
    expect(secrets).toEqual(['chave_do_estoque'])
  })
})

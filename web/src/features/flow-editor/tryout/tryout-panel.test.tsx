import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowStepTaken, FlowTestBody, FlowTestResult } from '@prosa/contracts/http/flow-runs'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { flowId, renderPart, someFlow, someNode, welcome } from '../testing/flow-part.tsx'
import { TryoutPanel } from './tryout-panel.tsx'

withProsaServer()

const until = '2026-11-23T15:00:00.000Z'
const message = (nodeId: string, text: string, typingSeconds = 0): FlowStepTaken => ({
  kind: 'message',
  nodeId,
  text,
  fileKind: null,
  fileName: null,
  typingSeconds,
})

/** Replies of the server by number of inputs; the contact does not want to order. */
const stepsAfter: FlowStepTaken[][] = [
  [],
  [
    { kind: 'started', nodeId: 'inicio' },
    message('ola', 'Olá, Ana Souza!'),
    message('pedir', 'Quer fazer um pedido?'),
    { kind: 'asked', nodeId: 'pedir', until },
  ],
  [
    { kind: 'answered', nodeId: 'pedir', variable: 'quer', text: 'não' },
    { kind: 'passed', nodeId: 'sim', type: 'condition', output: 'false' },
    { kind: 'delay', nodeId: 'pausa', until },
  ],
  [
    { kind: 'passed', nodeId: 'pausa', type: 'delay', output: null },
    message('pessoa', 'Já chamo alguém.'),
    { kind: 'ended', reason: 'handed_over', flowId: null },
  ],
]
const currentAfter: FlowTestResult['standing'][] = [
  null,
  { nodeId: 'pedir', waitsFor: 'answer', until },
  { nodeId: 'pausa', waitsFor: 'time', until },
  null,
]

let asked: FlowTestBody[] = []

beforeEach(() => {
  asked = []
  prosaServer.use(
    http.get('/api/labels', () => HttpResponse.json([{ id: 'vip', name: 'VIP', colour: 'green' }])),
    http.get('/api/flows', () => HttpResponse.json([])),
    http.post('/api/flows/:id/test', async ({ request }) => {
      const body = (await request.json()) as FlowTestBody
      asked.push(body)
      const { length } = body.inputs
      const result: FlowTestResult = {
        steps: stepsAfter.slice(0, length + 1).flatMap((steps, at) => steps.map((step) => ({ at, step }))),
        standing: currentAfter[length] ?? null,
        variables: length > 1 ? { nome: 'Ana Souza', quer: 'não' } : { nome: 'Ana Souza' },
      }
      return HttpResponse.json(result)
    }),
  )
})

const onCurrentNode = vi.fn()
const onClose = vi.fn()

const panel = (document: FlowDocument) => (
  <TryoutPanel flowId={flowId} document={document} onCurrentNode={onCurrentNode} onClose={onClose} />
)
const open = (document = welcome()) => renderPart(panel(document))
const chat = () => within(screen.getByRole('log', { name: 'Conversa de teste' }))
const composer = () => screen.getByLabelText('Mensagem do contato')
const write = (text: string) => userEvent.type(composer(), `${text}{Enter}`)

describe('Testar', () => {
  it('talks with the draft, shows where it stands and skips what it waits for', async () => {
    open()
    expect(document.activeElement).toBe(composer())
    expect(screen.getByText(/Nada é enviado a ninguém/)).toBeTruthy()
    await write('oi')
    expect(await chat().findByText('Olá, Ana Souza!')).toBeTruthy()
    expect(await screen.findByText(/Aguarda a resposta até/)).toBeTruthy()
    expect(onCurrentNode).toHaveBeenLastCalledWith('pedir')

    await write('não')
    expect(await chat().findByText('Condição “Se quer”: Falso.')).toBeTruthy()
    expect(onCurrentNode).toHaveBeenLastCalledWith('pausa')
    expect(screen.getByText('quer')).toBeTruthy()

    await userEvent.click(screen.getByRole('button', { name: 'Pular espera' }))
    expect(
      await chat().findByText('O fluxo passou a conversa para uma pessoa. Nenhum outro começa até ela ser finalizada.'),
    ).toBeTruthy()
    expect(onCurrentNode).toHaveBeenLastCalledWith(null)
    expect(document.activeElement).toBe(composer())
    expect(asked.at(-1)?.inputs).toEqual([
      { kind: 'message', text: 'oi' },
      { kind: 'message', text: 'não' },
      { kind: 'skip_time' },
    ])
  })

  it('shows for a moment that the flow types, where it says so', async () => {
    prosaServer.use(
      http.post('/api/flows/:id/test', () => {
        const steps = [{ at: 1, step: message('ola', 'Olá!', 2) }]
        return HttpResponse.json({ steps, standing: null, variables: {} } satisfies FlowTestResult)
      }),
    )
    open()
    await write('oi')
    await waitFor(() => expect(screen.queryByText('Escreva como um cliente')).toBeNull())
    expect(chat().getByText('digitando…')).toBeTruthy()
    expect(chat().queryByText('Olá!')).toBeNull()
    expect(await chat().findByText('Olá!', {}, { timeout: 3000 })).toBeTruthy()
    expect(chat().queryByText('digitando…')).toBeNull()
  })

  it('shows at once what is typed when that is skipped, and lets a short delay pass by itself', async () => {
    const flow = welcome()
    for (const node of flow.nodes) if (node.type === 'delay') node.data.delay = '2'
    prosaServer.use(
      http.post('/api/flows/:id/test', async ({ request }) => {
        const body = (await request.json()) as FlowTestBody
        asked.push(body)
        const isOver = body.inputs.length > 1
        const steps = [
          { at: 1, step: message('ola', '*Olá*, Ana!', 25) },
          ...(isOver ? [{ at: 2, step: message('cardapio', 'Veja o cardápio.') }] : []),
        ]
        const waiting = { nodeId: 'pausa', waitsFor: 'time', until } as const
        return HttpResponse.json({ steps, standing: isOver ? null : waiting, variables: {} } satisfies FlowTestResult)
      }),
    )
    open(flow)
    await write('oi')
    expect(await screen.findByText('Continua em 2 segundos')).toBeTruthy()
    await userEvent.click(chat().getByRole('button', { name: 'Pular' }))
    // As the phone formats it.
    expect(chat().getByText('Olá').tagName).toBe('STRONG')
    expect(await chat().findByText('Veja o cardápio.', {}, { timeout: 4000 })).toBeTruthy()
    expect(asked.at(-1)?.inputs).toEqual([{ kind: 'message', text: 'oi' }, { kind: 'skip_time' }])
    expect(screen.queryByText(/Continua em/)).toBeNull()
  })

  it('plays the same conversation again when the draft changes, and says so', async () => {
    const { rerender } = open()
    await write('oi')
    await chat().findByText('Olá, Ana Souza!')
    const changed = welcome()
    for (const node of changed.nodes) if (node.type === 'message') node.data.message = 'Bom dia!'
    rerender(panel(changed))
    expect(await screen.findByText(/O rascunho mudou/)).toBeTruthy()
    await waitFor(() => expect(asked).toHaveLength(2))
    expect(asked[1]?.inputs).toEqual([{ kind: 'message', text: 'oi' }])
    expect(asked[1]?.document).toEqual(changed)
  })

  it('begins anew', async () => {
    open()
    await write('oi')
    await chat().findByText('Olá, Ana Souza!')
    await userEvent.click(screen.getByRole('button', { name: 'Recomeçar' }))
    expect(chat().getByText('Escreva como um cliente')).toBeTruthy()
    expect(onCurrentNode).toHaveBeenLastCalledWith(null)
    expect(document.activeElement).toBe(composer())
  })

  it('says what keeps a draft with errors from starting', async () => {
    const broken = welcome()
    broken.links = broken.links.filter(({ source }) => source !== 'inicio')
    open(broken)
    expect(screen.getByText('Um erro impede o teste')).toBeTruthy()
    expect(screen.getByText('O gatilho não leva a nenhum passo.')).toBeTruthy()
    expect(composer()).toHaveProperty('placeholder', 'Corrija o rascunho para testar')
    await write('oi')
    expect(asked).toEqual([])
  })

  it('tries it with another contact and other hours', async () => {
    open()
    await userEvent.click(screen.getByText('Quem escreve'))
    await userEvent.clear(screen.getByLabelText('Nome do contato'))
    await userEvent.type(screen.getByLabelText('Nome do contato'), 'Bia')
    await userEvent.click(screen.getByRole('button', { name: 'Já conhecido' }))
    await userEvent.click(screen.getByRole('button', { name: 'Fechada' }))
    await userEvent.click(await screen.findByRole('checkbox', { name: 'VIP' }))
    await write('oi')
    await chat().findByText('Olá, Ana Souza!')
    await waitFor(() =>
      expect(asked.at(-1)).toMatchObject({ contact: { name: 'Bia', isNew: false, labelIds: ['vip'] }, isOpen: false }),
    )
  })

  it('keeps what was written when the test fails, and tries again', async () => {
    prosaServer.use(http.post('/api/flows/:id/test', () => refuse('unexpected'), { once: true }))
    open()
    await write('oi')
    await userEvent.click(await screen.findByRole('button', { name: 'Tentar de novo' }))
    expect(await chat().findByText('Olá, Ana Souza!')).toBeTruthy()
    expect(chat().getByText('oi')).toBeTruthy()
  })

  it('sends no request, and takes what it is said to give', async () => {
    const flow = someFlow(
      [
        someNode('trigger', 'inicio'),
        someNode('request', 'consulta', {
          url: 'https://api.example/',
          results: [{ path: 'a', variable: 'situacao' }],
        }),
        someNode('message', 'fim'),
      ],
      'inicio>consulta',
      'consulta.success>fim',
    )
    prosaServer.use(
      http.post('/api/flows/:id/test', async ({ request }) => {
        const body = (await request.json()) as FlowTestBody
        asked.push(body)
        const waiting = { nodeId: 'consulta', waitsFor: 'reply', until } as const
        const isOver = body.inputs.length > 1
        const steps = [{ at: 1, step: { kind: 'requested', nodeId: 'consulta', until } as const }]
        return HttpResponse.json({ steps, standing: isOver ? null : waiting, variables: {} } satisfies FlowTestResult)
      }),
    )
    open(flow)
    await write('oi')
    await userEvent.click(await screen.findByRole('button', { name: 'Deu certo' }))
    await waitFor(() =>
      expect(asked.at(-1)?.inputs[1]).toEqual({
        kind: 'reply',
        output: 'success',
        values: { situacao: '(situacao)' },
      }),
    )
    expect(screen.queryByRole('button', { name: 'Deu errado' })).toBeNull()
  })

  it('is closed by Escape, and gives the focus back', async () => {
    const button = document.body.appendChild(document.createElement('button'))
    button.focus()
    const { unmount } = open()
    expect(document.activeElement).toBe(composer())
    await userEvent.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalled()
    unmount()
    expect(document.activeElement).toBe(button)
    button.remove()
  })
})

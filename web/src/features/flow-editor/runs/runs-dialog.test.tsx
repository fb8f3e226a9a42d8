import type { FlowReplayPart, FlowRun, FlowRunDetail, FlowStepTaken } from '@prosa/contracts/http/flow-runs'
import { cursorHeader } from '@prosa/contracts/http/problem'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { flowId, renderPart, welcome } from '../testing/flow-part.tsx'
import { RunsDialog } from './runs-dialog.tsx'

withProsaServer()

const at = '2026-01-12T17:32:00.000Z'
const someRun = (over: Partial<FlowRun>): FlowRun => ({
  id: 'run-ana',
  flowId,
  version: 2,
  contactId: 'ana',
  contactName: 'Ana',
  startedAt: at,
  endedAt: null,
  reason: null,
  nodeId: 'pedir',
  until: null,
  ...over,
})
const ana = someRun({})
const bia = someRun({ id: 'run-bia', contactId: 'bia', contactName: 'Bia', endedAt: at, reason: 'handed_over' })
const carla = someRun({ id: 'run-carla', contactId: 'carla', contactName: null, endedAt: at, reason: 'too_many_steps' })

const said = (nodeId: string, text: string): FlowStepTaken => ({
  kind: 'message',
  nodeId,
  text,
  fileKind: null,
  fileName: null,
  typingSeconds: 0,
})
const begun: FlowStepTaken[] = [{ kind: 'started', nodeId: 'inicio' }, said('ola', 'Olá, Ana!')]
const declined: FlowStepTaken[] = [
  { kind: 'answered', nodeId: 'pedir', variable: 'quer', text: 'não' },
  { kind: 'passed', nodeId: 'sim', type: 'condition', output: 'false' },
]
const recorded = (steps: FlowStepTaken[], causationId: string) =>
  steps.map((step, index) => ({ at, eventId: `${causationId}-${index}`, causationId, step }))

let stopped: unknown[] = []
let replayed: FlowReplayPart
let asked: { from: string; to: string; after: string }[]

beforeEach(() => {
  stopped = []
  asked = []
  replayed = {
    from: '2026-01-10T00:00:00.000Z',
    ...{ done: 7, total: 7, next: null, isCut: false },
    ...{ conversations: 7, runs: 5, same: 4, different: 1, begun: 0 },
    differences: [
      {
        runId: 'run-ana',
        contactId: 'ana',
        contactName: 'Ana',
        startedAt: at,
        nodeId: 'sim',
        other: null,
        before: [...begun, ...declined],
        after: [...begun, { kind: 'ended', reason: 'completed', flowId: null }],
      },
    ],
  }
  prosaServer.use(
    http.get('/api/labels', () => HttpResponse.json([])),
    http.get('/api/flows', () => HttpResponse.json([])),
    http.get('/api/flows/:id/versions/:version', () => HttpResponse.json({ version: 2, document: welcome() })),
    http.get('/api/flows/:id/runs', ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? HttpResponse.json([carla])
        : HttpResponse.json([ana, bia], { headers: { [cursorHeader]: 'more' } }),
    ),
    http.get('/api/flow-runs/:id', ({ params }) => {
      const run = params.id === ana.id && stopped.length === 0 ? ana : { ...bia, id: String(params.id) }
      const steps = [...recorded(begun, 'first'), ...recorded(declined, 'second')]
      return HttpResponse.json({ ...run, startedBy: 'first_contact', steps } satisfies FlowRunDetail)
    }),
    http.post('/api/flow-runs/:id/stop', ({ params }) => {
      stopped.push(params.id)
      return HttpResponse.json({ id: params.id })
    }),
    http.post('/api/flows/:id/replay', async ({ request }) => {
      asked.push((await request.json()) as (typeof asked)[number])
      return HttpResponse.json(replayed)
    }),
  )
})

const onShowNode = vi.fn()
const onClose = vi.fn()
const open = (document = welcome()) =>
  renderPart(<RunsDialog flowId={flowId} document={document} onShowNode={onShowNode} onClose={onClose} />)
const list = async () => within(await screen.findByRole('list', { name: 'Execuções' }))
const openRun = async (name: RegExp) => userEvent.click((await list()).getByRole('button', { name }))

describe('Execuções', () => {
  it('lists with whom the flow ran and how it ended, and shows more', async () => {
    open()
    expect((await list()).getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^AnaEm andamento.*versão 2$/),
      expect.stringMatching(/^BiaPassou para uma pessoa/),
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Mostrar mais' }))
    expect(await screen.findByText('Passos demais')).toBeTruthy()
    expect(screen.getByText('Contato sem nome')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Mostrar mais' })).toBeNull()
  })

  it('explains a run step by step, under what caused it', async () => {
    open()
    await openRun(/^Bia/)
    expect(await screen.findByText(/O contato escreveu pela primeira vez, e o fluxo começou/)).toBeTruthy()
    expect(screen.getByText(/· O contato respondeu\./)).toBeTruthy()
    expect(await screen.findByText('Condição “Se quer”: Falso.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Abrir a conversa' }).getAttribute('href')).toBe('/live-chat?contato=bia')
    expect(screen.queryByRole('button', { name: 'Interromper' })).toBeNull()
  })

  it('shows a step on the canvas, as long as it is drawn there', async () => {
    const draft = welcome()
    draft.nodes = draft.nodes.filter(({ id }) => id !== 'ola')
    open(draft)
    await openRun(/^Bia/)
    await userEvent.click(await screen.findByRole('button', { name: 'Mostrar no desenho: Condição “Se quer”: Falso.' }))
    expect(onShowNode).toHaveBeenCalledWith('sim')
    expect(onClose).toHaveBeenCalled()
    expect(screen.queryByRole('button', { name: /Mostrar no desenho: Mensagem/ })).toBeNull()
  })

  it('stops a run that goes on only after asking', async () => {
    open()
    await openRun(/^Ana/)
    await userEvent.click(await screen.findByRole('button', { name: 'Interromper' }))
    expect(screen.getByText(/não dirá mais nada a Ana nesta conversa/)).toBeTruthy()
    expect(stopped).toEqual([])
    await userEvent.click(within(screen.getByRole('dialog', { name: /^Interromper/ })).getByText('Interromper'))
    await waitFor(() => expect(stopped).toEqual(['run-ana']))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Interromper' })).toBeNull())
  })

  it('says how to get one where there is none', async () => {
    prosaServer.use(http.get('/api/flows/:id/runs', () => HttpResponse.json([])))
    open()
    expect(await screen.findByText('Nenhuma execução ainda')).toBeTruthy()
  })

  it('offers to try again when they could not be read', async () => {
    prosaServer.use(http.get('/api/flows/:id/runs', () => refuse('unexpected'), { once: true }))
    open()
    await userEvent.click(await screen.findByText('Tentar de novo'))
    expect((await list()).getByText('Ana')).toBeTruthy()
  })
})

describe('on a phone', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('shows one run in the place of the list, and goes back to where it was', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: vi.fn(), removeEventListener: vi.fn() }))
    open()
    await openRun(/^Bia/)
    expect(await screen.findByText('Condição “Se quer”: Falso.')).toBeTruthy()
    expect(screen.queryByRole('list', { name: 'Execuções' })).toBeNull()
    const back = screen.getByRole('button', { name: 'Todas as execuções' })
    expect(document.activeElement).toBe(back)
    await userEvent.click(back)
    expect(document.activeElement).toBe((await list()).getByRole('button', { name: /^Bia/ }))
  })
})

describe('Reprise', () => {
  const replay = async (document = welcome()) => {
    open(document)
    await userEvent.click(screen.getByRole('tab', { name: 'Reprise' }))
    const button = screen.queryByRole('button', { name: 'Repassar as conversas' })
    if (button) await userEvent.click(button)
  }

  it('shows where the draft would have decided otherwise, from where they part', async () => {
    await replay()
    expect(screen.getByText(/Nada é enviado a ninguém/)).toBeTruthy()
    const summary = await screen.findByText('7 conversas: 4 vezes o fluxo seguiria igual e 1 vez seria diferente.')
    expect(document.activeElement).toBe(summary)
    const [row] = within(screen.getByRole('list', { name: 'Conversas diferentes' })).getAllByRole('listitem')
    expect(row?.textContent).toContain('2 passos iguais, e então:')
    const side = (name: string) =>
      within(screen.getByRole('list', { name }))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)
    expect(side('Como foi')).toEqual(['O contato respondeu “não”, guardado em “quer”.', 'Condição “Se quer”: Falso.'])
    expect(side('Como seria')).toEqual(['O fluxo chegou ao fim.'])
    await userEvent.click(screen.getByRole('button', { name: 'Mostrar no desenho onde muda a conversa com Ana' }))
    expect(onShowNode).toHaveBeenLastCalledWith('sim')
    const { contactId = '' } = replayed.differences[0] ?? {}
    const link = screen.getByRole('link', { name: 'Abrir a conversa com Ana' })
    expect(link.getAttribute('href')).toBe(`/live-chat?contato=${contactId}`)
    expect(screen.getByRole('button', { name: 'Ver histórico de execução com Ana' })).toBeTruthy()
  })

  it('says so where a conversation would not have begun', async () => {
    const [difference] = replayed.differences
    if (difference) replayed.differences = [{ ...difference, nodeId: null, after: [] }]
    await replay()
    expect(await screen.findByText('O fluxo não começaria.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Mostrar no desenho onde/ })).toBeNull()
  })

  it('says so where nothing would be different, and where nobody wrote', async () => {
    replayed = { ...replayed, runs: 1, same: 1, different: 0, differences: [] }
    await replay()
    expect(await screen.findByText('7 conversas: 1 vez o fluxo seguiria igual, e nada seria diferente.')).toBeTruthy()
    replayed = { ...replayed, conversations: 0, runs: 0, same: 0 }
    await userEvent.click(screen.getByRole('button', { name: 'Repassar de novo' }))
    expect(await screen.findByText('Nenhuma conversa para repassar')).toBeTruthy()
  })

  it('shows where it would have begun, and which flow began instead', async () => {
    const [difference] = replayed.differences
    if (!difference) throw new Error('no difference')
    const begun = { ...difference, before: [], nodeId: 'inicio' }
    replayed = {
      ...replayed,
      ...{ runs: 2, same: 0, different: 2, begun: 2 },
      differences: [
        { ...begun, runId: 'one' },
        { ...begun, runId: 'two', other: 'outro' },
      ],
    }
    await replay()
    expect(await screen.findByText('7 conversas: 2 vezes começaria onde não começou.')).toBeTruthy()
    expect(screen.getByText('O fluxo não começou.')).toBeTruthy()
    expect(screen.getByText('Outro fluxo respondeu.')).toBeTruthy()
    // Nothing ran, so the history is the conversation's.
    expect(screen.getAllByRole('button', { name: 'Ver histórico de conversa com Ana' })).toHaveLength(2)
  })

  it('goes through the days chosen part after part, and shows how far it is', async () => {
    const [difference] = replayed.differences
    if (!difference) throw new Error('no difference')
    let answer: () => void = () => undefined
    prosaServer.use(
      http.post('/api/flows/:id/replay', async ({ request }) => {
        const body = (await request.json()) as (typeof asked)[number]
        asked.push(body)
        if (body.after === '') return HttpResponse.json({ ...replayed, done: 3, next: 'ana' })
        await new Promise<void>((resolve) => (answer = resolve))
        return HttpResponse.json({ ...replayed, differences: [{ ...difference, runId: 'later' }] })
      }),
    )
    open()
    await userEvent.click(screen.getByRole('tab', { name: 'Reprise' }))
    await userEvent.clear(screen.getByLabelText('De'))
    await userEvent.type(screen.getByLabelText('De'), '2026-01-05')
    await userEvent.click(screen.getByRole('button', { name: 'Repassar as conversas' }))
    expect(await screen.findByText('3 de 7 conversas')).toBeTruthy()
    answer()
    expect(await screen.findByText(/^14 conversas/)).toBeTruthy()
    expect(asked).toMatchObject([
      { from: '2026-01-05', after: '' },
      { from: '2026-01-05', after: 'ana' },
    ])
    expect(within(screen.getByRole('list', { name: 'Conversas diferentes' })).getAllByRole('heading')).toHaveLength(6)
  })

  it('is not begun with a draft that has errors', async () => {
    const broken = welcome()
    broken.links = broken.links.filter(({ source }) => source !== 'inicio')
    await replay(broken)
    expect(screen.getByText(/O gatilho não leva a nenhum passo/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Repassar as conversas' })).toBeNull()
  })

  it('says what went wrong, and can be tried again', async () => {
    prosaServer.use(http.post('/api/flows/:id/replay', () => refuse('unexpected'), { once: true }))
    await replay()
    expect(await screen.findByText('As conversas não puderam ser repassadas. Tente de novo.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Repassar as conversas' }))
    expect(await screen.findByText(/^7 conversas/)).toBeTruthy()
  })
})

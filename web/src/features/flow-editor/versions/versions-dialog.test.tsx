import type { FlowDetail, FlowVersion } from '@prosa/contracts/http/flows'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { flowId, renderPart, someFlow, someNode, welcome } from '../testing/flow-part.tsx'
import { VersionsDialog } from './versions-dialog.tsx'

withProsaServer()

const first = someFlow([someNode('trigger', 'inicio'), someNode('message', 'ola', { message: 'Oi!' })], 'inicio>ola')
const documents: Record<string, typeof first> = { 1: first, 2: welcome() }
const someVersion = (over: Partial<FlowVersion>): FlowVersion => ({
  version: 1,
  publishedAt: '2026-01-12T17:32:00.000Z',
  publishedBy: 'Marina Azevedo',
  added: 2,
  removed: 0,
  changed: 0,
  ...over,
})

let versions: FlowVersion[] = []
let restored: unknown[] = []
const detail = { id: flowId, revision: 8 } as FlowDetail

beforeEach(() => {
  versions = [someVersion({ version: 2, publishedBy: null, added: 5, changed: 1 }), someVersion({})]
  restored = []
  prosaServer.use(
    http.get('/api/labels', () => HttpResponse.json([])),
    http.get('/api/flows', () => HttpResponse.json([])),
    http.get('/api/flows/:id/versions', () => HttpResponse.json(versions)),
    http.get('/api/flows/:id/versions/:version', ({ params }) =>
      HttpResponse.json({ ...versions[0], document: documents[String(params.version)] }),
    ),
    http.post('/api/flows/:id/versions/:version/restore', async ({ params, request }) => {
      restored.push([params.version, await request.json()])
      return HttpResponse.json(detail)
    }),
  )
})

const onRestored = vi.fn()
const onClose = vi.fn()
const open = (document = welcome()) =>
  renderPart(
    <VersionsDialog flowId={flowId} document={document} revision={7} onRestored={onRestored} onClose={onClose} />,
  )

describe('Versões', () => {
  it('lists who published what and when, the latest first', async () => {
    open()
    const list = within(await screen.findByRole('list', { name: 'Versões publicadas' }))
    const [two, one] = list.getAllByRole('listitem')
    expect(two?.textContent).toMatch(/^Versão 2Em vigor/)
    expect(two?.textContent).toContain('5 passos novos e 1 passo mudado')
    expect(one?.textContent).toMatch(/por Marina AzevedoA primeira, com 2 passos/)
  })

  it('compares the latest with the draft, then any two of them', async () => {
    open()
    expect(await screen.findByText('Nenhuma diferença')).toBeTruthy()
    await userEvent.selectOptions(screen.getByLabelText('De'), 'Versão 1')
    expect(
      await screen.findByText(
        'Pergunta: Quer fazer um pedido? · Guarda a resposta em: quer · Espera até: o fluxo terminar',
      ),
    ).toBeTruthy()
    const changed = within(screen.getByRole('table', { name: 'O que mudou em Mensagem “Olá, {nome}!”' }))
    expect(changed.getByRole('row', { name: /^Mensagem/ }).textContent).toBe('MensagemAntesOi!DepoisOlá, {nome}!')
    await userEvent.selectOptions(screen.getByLabelText('Para'), 'Versão 1')
    expect(await screen.findByText('Nenhuma diferença')).toBeTruthy()
  })

  it('makes a version the draft again only after asking', async () => {
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Restaurar a versão 1' }))
    const question = within(screen.getByRole('dialog', { name: 'Restaurar a versão 1' }))
    expect(question.getByText(/O que está publicado continua valendo/)).toBeTruthy()
    expect(restored).toEqual([])
    await userEvent.click(question.getByRole('button', { name: 'Restaurar' }))
    await waitFor(() => expect(onRestored).toHaveBeenCalledWith(detail))
    expect(restored).toEqual([['1', { basedOn: 7 }]])
    expect(onClose).toHaveBeenCalled()
  })

  it('leaves the draft alone where somebody else saved it meanwhile', async () => {
    prosaServer.use(http.post('/api/flows/:id/versions/:version/restore', () => refuse('flow_draft_conflict')))
    onRestored.mockClear()
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Restaurar a versão 2' }))
    await userEvent.click(screen.getByRole('button', { name: 'Restaurar' }))
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /^O rascunho continua como estava\. Este fluxo foi mudado em outra janela/,
    )
    expect(onRestored).not.toHaveBeenCalled()
  })

  it('says what a version is before the first one', async () => {
    versions = []
    open()
    expect(await screen.findByText('Nenhuma versão ainda')).toBeTruthy()
  })

  it('offers to try again when they could not be read', async () => {
    prosaServer.use(http.get('/api/flows/:id/versions', () => refuse('unexpected'), { once: true }))
    open()
    expect(await screen.findByText('As versões não puderam ser lidas')).toBeTruthy()
    await userEvent.click(screen.getByText('Tentar de novo'))
    expect(await screen.findByText('Versão 2', { selector: 'h3' })).toBeTruthy()
  })
})

import { starterFlow } from '@prosa/contracts/flows/new-node'
import type { FlowSummary } from '@prosa/contracts/http/flow-runs'
import type { Flow, FlowFolder } from '@prosa/contracts/http/flows'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../test/prosa-server.ts'
import { renderApp } from '../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../app/app-shell.tsx'
import './automation-builder-page.tsx'
import './conversation-flows-page.tsx'
import './flow-file/import-dialog.tsx'

withProsaServer()

const noon = '2026-11-16T12:00:00.000Z'
const flowOf = (id: string, of: Partial<Flow> = {}): Flow => ({
  ...{ id, name: id, folderId: null, status: 'draft', nodeCount: 2, version: null, createdAt: noon, updatedAt: noon },
  ...of,
})
const sales: FlowFolder = {
  ...{ id: 'vendas', name: 'Vendas', description: 'Do orçamento ao pedido', flowCount: 1 },
  ...{ createdAt: noon, updatedAt: noon },
}
const support: FlowFolder = { ...sales, id: 'suporte', name: 'Suporte técnico', description: '', flowCount: 0 }
const greeting = flowOf('saudacao', { name: 'Saudação', folderId: 'vendas', status: 'active', version: 2 })
const survey = flowOf('pesquisa', { name: 'Pesquisa', status: 'inactive', version: 1 })
const promotion = flowOf('promocao', { name: 'Promoção' })
const ran: FlowSummary = { executions: 9, running: 0, leads: 1234, converted: 617, lastRunAt: noon }

let folders: FlowFolder[]
let flows: Flow[]
let asked: unknown[][]

beforeEach(() => {
  folders = [support, sales]
  flows = [greeting, survey, promotion]
  asked = []
  const note = async (request: Request) => {
    const text = await request.text()
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    asked.push([`${request.method} ${new URL(request.url).pathname}`, ...(body === undefined ? [] : [body])])
    return body as Record<string, never>
  }
  const change = <Row extends { id: string }>(rows: Row[], id: unknown, of: Partial<Row>) =>
    rows.map((row) => (row.id === id ? { ...row, ...of } : row))
  const byId = <Row extends { id: string }>(rows: Row[], id: unknown) => rows.find((row) => row.id === id)
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/flow-folders', () =>
      HttpResponse.json(folders.toSorted((one, other) => one.name.localeCompare(other.name, 'pt-BR'))),
    ),
    http.get('/api/flows', () => HttpResponse.json(flows)),
    http.get('/api/labels', () => HttpResponse.json([])),
    http.get('/api/flow-statistics', () => HttpResponse.json([{ flowId: 'saudacao', ...ran }])),
    http.get('/api/flows/:id/file', ({ params }) =>
      HttpResponse.json({ format: 'prosa-flow', version: 1, name: params.id, document: starterFlow() }),
    ),
    http.post('/api/flows', async ({ request }) => {
      const body = await note(request)
      const flow = flowOf('novo', { name: body.name, folderId: body.folderId ?? null })
      flows = [flow, ...flows]
      return HttpResponse.json(flow, { status: 201 })
    }),
    http.patch('/api/flows/:id', async ({ request, params }) => {
      flows = change(flows, params.id, await note(request))
      return HttpResponse.json(byId(flows, params.id))
    }),
    http.put('/api/flows/:id/on', async ({ request, params }) => {
      const { isOn } = await note(request)
      flows = change(flows, params.id, { status: isOn ? 'active' : 'inactive' })
      return HttpResponse.json(byId(flows, params.id))
    }),
    http.post('/api/flows/:id/duplicate', async ({ request, params }) => {
      await note(request)
      const of = byId(flows, params.id)
      const copy = flowOf('copia', { name: `${of?.name} (Cópia)`, folderId: of?.folderId ?? null })
      flows = [copy, ...flows]
      return HttpResponse.json(copy, { status: 201 })
    }),
    http.delete('/api/flows/:id', async ({ request, params }) => {
      await note(request)
      flows = flows.filter(({ id }) => id !== params.id)
      return HttpResponse.json({ id: params.id })
    }),
    http.post('/api/flow-folders', async ({ request }) => {
      const folder = { ...sales, id: 'nova', flowCount: 0, ...(await note(request)) }
      folders = [...folders, folder]
      return HttpResponse.json(folder, { status: 201 })
    }),
    http.patch('/api/flow-folders/:id', async ({ request, params }) => {
      folders = change(folders, params.id, await note(request))
      return HttpResponse.json(byId(folders, params.id))
    }),
    http.post('/api/flow-folders/:id/duplicate', async ({ request, params }) => {
      await note(request)
      const folder = { ...sales, id: 'copia', name: `${byId(folders, params.id)?.name} (Cópia)` }
      folders = [...folders, folder]
      return HttpResponse.json(folder, { status: 201 })
    }),
    http.delete('/api/flow-folders/:id', async ({ request, params }) => {
      await note(request)
      folders = folders.filter(({ id }) => id !== params.id)
      flows = flows.filter(({ folderId }) => folderId !== params.id)
      return HttpResponse.json({ id: params.id })
    }),
  )
})

const open = (query = '') => renderApp(`/conversation-flows${query}`)
const toast = (text: string) => within(screen.getByLabelText('Avisos (F8)')).findByText(text)
const action = async (of: string, label: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `Ações de ${of}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: label }))
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const names = async () => {
  await screen.findByRole('table')
  return screen.getAllByRole('rowheader').map(({ textContent }) => textContent)
}
const tab = (name: string) => screen.findByRole('tab', { name })

describe('folders', () => {
  it('are cards with how many flows they hold and when they changed', async () => {
    open()
    const card = within(await screen.findByRole('listitem', { name: 'Vendas' }))
    expect(card.getByText('1 fluxo')).toBeTruthy()
    expect(card.getByText('Do orçamento ao pedido')).toBeTruthy()
    expect(card.getByText('Atualizado: 16/11/2026')).toBeTruthy()
    expect(within(screen.getByRole('listitem', { name: 'Suporte técnico' })).getByText('0 fluxos')).toBeTruthy()
    expect(await tab('Pastas (2)')).toBeTruthy()
    expect(await tab('Fluxos (3)')).toBeTruthy()
  })

  it('open to the flows in them, and back leads to all', async () => {
    open()
    await userEvent.click(await screen.findByRole('link', { name: 'Vendas' }))
    expect(await screen.findByRole('heading', { name: 'Vendas' })).toBeTruthy()
    expect(await names()).toEqual(['Saudação'])
    await userEvent.click(screen.getByRole('button', { name: 'Voltar do navegador' }))
    expect(await screen.findByRole('listitem', { name: 'Suporte técnico' })).toBeTruthy()
  })

  it('are made with NOVA PASTA, with a name', async () => {
    open()
    await press('NOVA PASTA')
    await press('Criar Pasta')
    expect(await screen.findByText('Dê um nome à pasta.')).toBeTruthy()
    await userEvent.type(screen.getByLabelText('Nome'), '  Pós-vendas ')
    await userEvent.type(screen.getByLabelText('Descrição'), 'Depois do pedido')
    await press('Criar Pasta')
    expect(await toast('Pasta criada com sucesso!')).toBeTruthy()
    expect(asked).toEqual([['POST /api/flow-folders', { name: 'Pós-vendas', description: 'Depois do pedido' }]])
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      ...['Pós-vendas', 'Suporte técnico', 'Vendas'],
    ])
  })

  it('are edited and duplicated', async () => {
    open()
    await action('Vendas', 'Editar')
    const dialog = within(await screen.findByRole('dialog', { name: 'Editar Pasta' }))
    await userEvent.clear(dialog.getByLabelText('Descrição'))
    await userEvent.click(dialog.getByRole('button', { name: 'Salvar' }))
    expect(await toast('Pasta atualizada com sucesso!')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await action('Vendas', 'Duplicar')
    expect(await screen.findByRole('listitem', { name: 'Vendas (Cópia)' })).toBeTruthy()
    expect(asked).toEqual([
      ['PATCH /api/flow-folders/vendas', { name: 'Vendas', description: '' }],
      ['POST /api/flow-folders/vendas/duplicate'],
    ])
  })

  it('are deleted with their flows, after a question that names both', async () => {
    open()
    await action('Vendas', 'Excluir')
    expect(await screen.findByRole('dialog', { name: 'Excluir Pasta' })).toBeTruthy()
    expect(
      screen.getByText(
        'Tem certeza que deseja excluir a pasta "Vendas"? Esta ação não pode ser desfeita e todos os fluxos dentro da pasta serão perdidos.',
      ),
    ).toBeTruthy()
    expect(asked).toEqual([])
    await press('Excluir')
    expect(await toast('Pasta excluída com sucesso!')).toBeTruthy()
    expect(screen.queryByRole('listitem', { name: 'Vendas' })).toBeNull()
    expect(await tab('Fluxos (2)')).toBeTruthy()
  })

  it('teach what to do where there are none, or none is found', async () => {
    folders = []
    open()
    expect(await screen.findByText('Comece criando sua primeira pasta de fluxos')).toBeTruthy()
    await press('Criar Nova Pasta')
    expect(await screen.findByRole('dialog', { name: 'Criar Nova Pasta' })).toBeTruthy()
  })
})

describe('flows', () => {
  it('stand in a table with their state and what is counted of them', async () => {
    open('?aba=fluxos')
    const row = within(await screen.findByRole('row', { name: /^Saudação/ }))
    expect(await row.findByText('1.234')).toBeTruthy()
    expect([...row.getAllByRole('cell')].map(({ textContent }) => textContent).slice(0, 5)).toEqual([
      ...['Ativo Por quê?', 'Vendas', '16/11/2026', '1.234', '50%'],
    ])
    expect(row.getByRole('link', { name: 'Saudação' }).getAttribute('href')).toBe('/flow-editor/saudacao')
    expect(within(screen.getByRole('row', { name: /^Pesquisa/ })).getByText('Inativo')).toBeTruthy()
    expect(within(screen.getByRole('row', { name: /^Promoção/ })).getByText('Rascunho')).toBeTruthy()
    expect(screen.getByText(/^Leads: os contatos com quem o fluxo já conversou\./)).toBeTruthy()
  })

  it('are made with a name by Enter, shown in their tab, and offered to be opened', async () => {
    open('?busca=suporte')
    await press('Adicionar')
    const dialog = within(await screen.findByRole('dialog', { name: 'Criar Novo Fluxo' }))
    await userEvent.type(dialog.getByPlaceholderText('Ex: Atendimento inicial'), '  {Enter}')
    expect(await dialog.findByText('Dê um nome ao fluxo.')).toBeTruthy()
    await userEvent.type(dialog.getByLabelText('Nome'), ' Boas-vindas {Enter}')
    expect(await toast('Fluxo criado com sucesso!')).toBeTruthy()
    expect(asked).toEqual([['POST /api/flows', { name: 'Boas-vindas', folderId: null }]])
    expect(await names()).toEqual(['Boas-vindas', 'Saudação', 'Pesquisa', 'Promoção'])
    expect(screen.getByRole('link', { name: 'Abrir no editor' }).getAttribute('href')).toBe('/flow-editor/novo')
  })

  it('are made in the folder that is open', async () => {
    open('?aba=fluxos&pasta=suporte')
    await userEvent.click(await screen.findByText('Criar Primeiro Fluxo'))
    await userEvent.type(await screen.findByLabelText('Nome'), 'Garantia{Enter}')
    await toast('Fluxo criado com sucesso!')
    expect(asked).toEqual([['POST /api/flows', { name: 'Garantia', folderId: 'suporte' }]])
    expect(await names()).toEqual(['Garantia'])
  })

  it('keep the name that was refused, with what the server states', async () => {
    prosaServer.use(http.post('/api/flows', () => refuse('too_many_flows')))
    open()
    await press('Adicionar')
    await userEvent.type(await screen.findByLabelText('Nome'), 'Mais um{Enter}')
    expect(
      await screen.findByText('Você já tem 1.000 fluxos. Exclua um para criar outro.', { selector: '.field-error' }),
    ).toBeTruthy()
    expect(screen.getByLabelText('Nome')).toHaveProperty('value', 'Mais um')
  })

  it('are renamed, duplicated and moved', async () => {
    open('?aba=fluxos')
    await action('Promoção', 'Renomear')
    await userEvent.type(await screen.findByLabelText('Nome'), ' de Natal{Enter}')
    await toast('Fluxo renomeado com sucesso!')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await action('Promoção de Natal', 'Duplicar')
    expect(await screen.findByText('Promoção de Natal (Cópia)')).toBeTruthy()
    await action('Pesquisa', 'Mover')
    await userEvent.selectOptions(await screen.findByLabelText('Pasta'), 'Vendas')
    await press('Mover')
    await toast('Fluxo movido com sucesso!')
    expect(asked).toEqual([
      ['PATCH /api/flows/promocao', { name: 'Promoção de Natal' }],
      ['POST /api/flows/promocao/duplicate'],
      ['PATCH /api/flows/pesquisa', { folderId: 'vendas' }],
    ])
  })

  it('are deleted only after asking', async () => {
    open('?aba=fluxos')
    await action('Pesquisa', 'Excluir')
    expect(await screen.findByRole('dialog', { name: 'Excluir Fluxo' })).toBeTruthy()
    expect(
      screen.getByText('Tem certeza que deseja excluir o fluxo "Pesquisa"? Esta ação não pode ser desfeita.'),
    ).toBeTruthy()
    expect(asked).toEqual([])
    await press('Excluir')
    await toast('Fluxo excluído com sucesso!')
    expect(await names()).toEqual(['Saudação', 'Promoção'])
  })

  it('are shown on or off at once, and as they were when the server fails', async () => {
    let fail: (() => void) | undefined
    const held = new Promise<void>((resolve) => {
      fail = resolve
    })
    prosaServer.use(
      http.put('/api/flows/:id/on', async () => {
        await held
        return refuse('unexpected')
      }),
    )
    open('?aba=fluxos')
    await action('Saudação', 'Desligar')
    const row = within(await screen.findByRole('row', { name: /^Saudação/ }))
    expect(await row.findByText('Inativo')).toBeTruthy()
    fail?.()
    expect(await toast('Falha ao desligar fluxo')).toBeTruthy()
    expect(await row.findByText('Ativo')).toBeTruthy()
  })

  it('can be turned on or off only once they are published', async () => {
    open('?aba=fluxos')
    await userEvent.click(await screen.findByRole('button', { name: 'Ações de Promoção' }))
    await screen.findByRole('menuitem', { name: 'Editar' })
    expect(screen.queryByRole('menuitem', { name: /ligar/i })).toBeNull()
  })

  it('are narrowed by what the address names, and by Filtros', async () => {
    open('?aba=fluxos&status=inactive')
    expect(await names()).toEqual(['Pesquisa'])
    expect(screen.getByLabelText('Status')).toHaveProperty('value', 'inactive')
    await press('Limpar filtros')
    expect(await names()).toHaveLength(3)
    await userEvent.selectOptions(screen.getByLabelText('Pasta'), 'Sem pasta')
    expect(await names()).toEqual(['Pesquisa', 'Promoção'])
    await userEvent.type(screen.getByLabelText('Atualizado de'), '2026-11-17')
    expect(await screen.findByText('Nenhum fluxo encontrado')).toBeTruthy()
    await press('Limpar busca e filtros')
    expect(await names()).toHaveLength(3)
  })

  it('are found by their name, and folders by theirs', async () => {
    open()
    await userEvent.type(await screen.findByPlaceholderText('Buscar pastas...'), 'promocao')
    expect(await screen.findByText('Nenhuma pasta encontrada')).toBeTruthy()
    expect(screen.getByText('Tente ajustar sua busca')).toBeTruthy()
    await userEvent.click(await tab('Fluxos (1)'))
    expect(await names()).toEqual(['Promoção'])
  })

  it('teach what to do where there are none', async () => {
    flows = []
    open('?aba=fluxos')
    expect(await screen.findByText('Nenhum fluxo criado')).toBeTruthy()
    expect(screen.getByText('Comece criando seu primeiro fluxo de conversa')).toBeTruthy()
  })

  it('are read again when they could not be', async () => {
    prosaServer.use(http.get('/api/flows', () => refuse('unexpected'), { once: true }))
    open('?aba=fluxos')
    expect(await screen.findByText('Os fluxos não puderam ser lidos')).toBeTruthy()
    await press('Tentar de novo')
    expect(await names()).toHaveLength(3)
  })
})

describe('files of flows', () => {
  const fileOf = (content: unknown, name = 'boas-vindas.json') =>
    new File([JSON.stringify(content)], name, { type: 'application/json' })
  const exported = (of: object = {}) => ({
    ...{ format: 'prosa-flow', version: 1, name: 'Boas-vindas', document: starterFlow() },
    ...of,
  })

  afterEach(() => vi.restoreAllMocks())

  it('are saved under the name of the flow', async () => {
    const saved: string[] = []
    URL.createObjectURL = vi.fn(() => 'blob:flow')
    URL.revokeObjectURL = vi.fn()
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    open('?aba=fluxos')
    await action('Promoção', 'Exportar')
    expect(await toast('Fluxo exportado: o arquivo está nos seus downloads.')).toBeTruthy()
    expect(saved).toEqual(['promocao.json'])
  })

  it('are checked before they are sent, under a name that can be changed', async () => {
    open()
    await press('Importar')
    await userEvent.upload(await screen.findByLabelText('Arquivo do fluxo'), fileOf(exported()))
    expect(await screen.findByText(/^2 passos e 1 ligação\./)).toBeTruthy()
    await userEvent.type(screen.getByLabelText('Nome'), ' 2')
    await userEvent.selectOptions(screen.getByLabelText('Pasta'), 'Vendas')
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Importar' }))
    expect(await toast('Fluxo importado com sucesso!')).toBeTruthy()
    expect(asked).toEqual([['POST /api/flows', { name: 'Boas-vindas 2', folderId: 'vendas', document: starterFlow() }]])
    expect(await names()).toEqual(['Boas-vindas 2', 'Saudação'])
  })

  it('of another product, or with faults, are refused with the place, and another can be chosen', async () => {
    open()
    await press('Importar')
    const input = await screen.findByLabelText('Arquivo do fluxo')
    await userEvent.upload(input, fileOf({ nodes: [] }, 'outro.json'))
    expect(await screen.findByText('outro.json não pode ser importado')).toBeTruthy()
    expect(screen.getByText(/^Este arquivo não é um fluxo exportado pelo Prosa\./)).toBeTruthy()
    const document = starterFlow()
    Object.assign(document.nodes[1]?.data ?? {}, { message: 7 })
    await userEvent.upload(await screen.findByLabelText('Arquivo do fluxo'), fileOf(exported({ document })))
    expect(
      await screen.findByText('Passo 2 (Mensagem): o campo “texto” tem um valor que o Prosa não conhece.'),
    ).toBeTruthy()
    expect(asked).toEqual([])
  })

  it('show what is to be corrected before they can be published', async () => {
    const document = starterFlow()
    document.nodes.shift()
    document.links = []
    open()
    await press('Importar')
    await userEvent.upload(await screen.findByLabelText('Arquivo do fluxo'), fileOf(exported({ document })))
    expect(await screen.findByText('1 problema a corrigir no editor antes de publicar:')).toBeTruthy()
    expect(screen.getByText('O fluxo não tem gatilho: nada o inicia.')).toBeTruthy()
  })
})

describe('/automation-builder', () => {
  it('makes one flow with a free name and leads into its editor', async () => {
    flows = [flowOf('a', { name: 'Novo fluxo' })]
    renderApp('/automation-builder')
    await waitFor(() => expect(asked).toEqual([['POST /api/flows', { name: 'Novo fluxo 2' }]]))
  })

  it('shows that none was made, and tries again', async () => {
    prosaServer.use(http.post('/api/flows', () => refuse('too_many_flows'), { once: true }))
    renderApp('/automation-builder')
    expect(await screen.findByText('O fluxo não foi criado')).toBeTruthy()
    expect(screen.getByText('Você já tem 1.000 fluxos. Exclua um para criar outro.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Ver Fluxos de Conversa' }).getAttribute('href')).toBe(
      '/conversation-flows',
    )
    await press('Tentar de novo')
    await waitFor(() => expect(asked).toEqual([['POST /api/flows', { name: 'Novo fluxo' }]]))
  })
})

import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { starterFlow } from '@prosa/contracts/flows/new-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleFolders } from './samples/sample-folders.ts'
import { testFlows } from './testing/test-flows.ts'

let service: Awaited<ReturnType<typeof testFlows>>
beforeAll(async () => {
  service = await testFlows()
})
afterAll(() => service.stop())

const saying = (message: string): FlowDocument => {
  const document = starterFlow()
  for (const node of document.nodes) if (node.type === 'message') node.data.message = message
  return document
}
const ids = (found: readonly { stream: string }[]) => found.map(({ stream }) => stream)

const desk = async () => {
  const subscriber = await service.subscriber()
  const { request } = subscriber
  const newFolder = async (name = 'Vendas'): Promise<string> =>
    (await request('POST', '/api/flow-folders', { name })).json().id
  const newFlow = async (body: object = {}): Promise<string> =>
    (await request('POST', '/api/flows', { name: 'Boas-vindas', ...body })).json().id
  const save = (id: string, document: unknown, basedOn: number) =>
    request('PUT', `/api/flows/${id}/draft`, { document, basedOn })
  const publish = (id: string, basedOn = 0) => request('POST', `/api/flows/${id}/publish`, { basedOn })
  return { ...subscriber, newFolder, newFlow, save, publish }
}

describe('folders', () => {
  it('are made, described, copied with their flows, and deleted with them', async () => {
    const { request, events, newFlow } = await desk()
    const created = await request('POST', '/api/flow-folders', { name: ' Vendas ', description: 'Do oi ao pedido' })
    const folder = created.json()
    expect([created.statusCode, folder]).toEqual([
      201,
      { ...folder, name: 'Vendas', description: 'Do oi ao pedido', flowCount: 0 },
    ])
    const flowId = await newFlow({ folderId: folder.id })
    const described = await request('PATCH', `/api/flow-folders/${folder.id}`, { name: 'Vendas 2027' })
    expect(described.json()).toMatchObject({ name: 'Vendas 2027', description: '', flowCount: 1 })
    const copy = (await request('POST', `/api/flow-folders/${folder.id}/duplicate`)).json()
    expect(copy).toMatchObject({ name: 'Vendas 2027 (Cópia)', flowCount: 1 })
    expect(copy.id).not.toBe(folder.id)
    for (let time = 0; time < 2; time++)
      expect((await request('DELETE', `/api/flow-folders/${folder.id}`)).json()).toEqual({ id: folder.id })
    expect(ids(await events('FlowDeleted'))).toEqual([`flow-${flowId}`])
    expect(await events('FlowFolderDeleted')).toHaveLength(1)
    expect((await request('PATCH', `/api/flow-folders/${folder.id}`, { name: 'Outra' })).statusCode).toBe(404)
  })

  it('take a flow with them that was put in while they were deleted', async () => {
    const { request, newFolder, newFlow, record, events } = await desk()
    const [folderId, flowId] = [await newFolder(), await newFlow()]
    await request('DELETE', `/api/flow-folders/${folderId}`)
    expect((await request('PATCH', `/api/flows/${flowId}`, { folderId })).json().type).toBe('flow_folder_not_found')
    await record(`flow-${flowId}`, { type: 'FlowMoved', data: { folderId } })
    await service.until(async () => (await events('FlowDeleted')).length === 1)
  })
})

describe('flows', () => {
  it('begin as a draft of the starter flow, are renamed, moved, copied and deleted', async () => {
    const { request, newFolder, events } = await desk()
    const created = await request('POST', '/api/flows', { name: 'Boas-vindas' })
    const flow = created.json()
    expect([created.statusCode, flow]).toEqual([
      201,
      { ...flow, name: 'Boas-vindas', folderId: null, status: 'draft', nodeCount: 2, version: null },
    ])
    const folderId = await newFolder()
    const changed = await request('PATCH', `/api/flows/${flow.id}`, { name: 'Olá', folderId })
    expect(changed.json()).toMatchObject({ id: flow.id, name: 'Olá', folderId, createdAt: flow.createdAt })
    const copy = (await request('POST', `/api/flows/${flow.id}/duplicate`)).json()
    expect(copy).toMatchObject({ name: 'Olá (Cópia)', folderId, status: 'draft' })
    expect((await request('DELETE', `/api/flows/${flow.id}`)).json()).toEqual({ id: flow.id })
    expect(ids(await events('FlowDeleted'))).toEqual([`flow-${flow.id}`])
    expect((await request('POST', `/api/flows/${flow.id}/duplicate`)).statusCode).toBe(404)
  })

  it('are made once when the request is repeated', async () => {
    const { request, events } = await desk()
    const headers = { 'idempotency-key': randomUUID() }
    const ask = () => request('POST', '/api/flows', { name: 'Boas-vindas' }, headers)
    expect((await ask()).json()).toEqual((await ask()).json())
    expect(await events('FlowCreated')).toHaveLength(1)
  })

  it('keep a name of 100 characters within 100 as a copy', async () => {
    const { request, newFlow } = await desk()
    const id = await newFlow({ name: 'a'.repeat(100) })
    const { name } = (await request('POST', `/api/flows/${id}/duplicate`)).json()
    expect([name.length, name.endsWith('a (Cópia)')]).toEqual([100, true])
  })

  it('are their subscriber’s alone', async () => {
    const [mine, theirs] = [await desk(), await desk()]
    const [id, folderId] = [await theirs.newFlow(), await theirs.newFolder()]
    const attempts = [
      ['PATCH', `/api/flows/${id}`, { name: 'meu' }],
      ['POST', `/api/flows/${id}/duplicate`],
      ['POST', `/api/flows/${id}/publish`, { basedOn: 0 }],
      ['PUT', `/api/flows/${id}/draft`, { basedOn: 0, document: starterFlow() }],
      ['PUT', `/api/flows/${id}/on`, { isOn: true }],
      ['POST', `/api/flows/${id}/versions/1/restore`, { basedOn: 0 }],
      ['PUT', '/api/default-flow', { flowId: id }],
      ['POST', '/api/flows', { name: 'meu', folderId }],
      ['POST', `/api/flow-folders/${folderId}/duplicate`],
      ['DELETE', `/api/flow-folders/${folderId}`],
      ['DELETE', `/api/flows/${id}`],
    ] as const
    for (const [method, url, body] of attempts)
      expect([url, (await mine.request(method, url, body)).statusCode]).toEqual([url, 404])
    expect(await theirs.events('FlowDeleted', 'FlowFolderDeleted', 'FlowRenamed')).toEqual([])
  })

  it('are 1,000 at most, and folders 200', async () => {
    const { tenant, request, newFolder, newFlow, events } = await desk()
    const [folderId] = [await newFolder(), await newFlow()]
    await service.until(async () => {
      const { rowCount } = await service.ports.pool.query('select from flow_place where owner = $1', [tenant])
      return rowCount === 2
    })
    const fill = 'insert into flow_place select $1 || $2 || n, $1, $2, null from generate_series(1, $3) n'
    await service.ports.pool.query(fill, [tenant, 'flow', 999])
    await service.ports.pool.query(fill, [tenant, 'folder', 199])
    for (const [url, type] of [
      ['/api/flows', 'too_many_flows'],
      ['/api/flow-folders', 'too_many_flow_folders'],
      [`/api/flow-folders/${folderId}/duplicate`, 'too_many_flow_folders'],
    ] as const)
      expect((await request('POST', url, { name: 'Mais um' })).json().type).toBe(type)
    expect(await events('FlowCreated', 'FlowFolderCreated')).toHaveLength(2)
  })
})

describe('a draft', () => {
  it('is saved whole, and not over what another window saved', async () => {
    const { newFlow, save } = await desk()
    const id = await newFlow()
    expect((await save(id, saying('Oi'), 0)).json()).toMatchObject({ id, revision: 1 })
    const late = await save(id, saying('Olá'), 0)
    expect([late.statusCode, late.json().type]).toEqual([409, 'flow_draft_conflict'])
    expect((await save(id, saying('Olá'), 1)).json()).toMatchObject({ revision: 2 })
  })

  it('keeps a message of 70,000 characters, which publishing refuses in words', async () => {
    const { newFlow, save, publish } = await desk()
    const id = await newFlow()
    expect((await save(id, saying('a'.repeat(70_000)), 0)).statusCode).toBe(200)
    const refused = await publish(id, 1)
    expect(refused.json()).toMatchObject({
      type: 'flow_has_errors',
      errors: [{ field: 'resposta', message: 'A mensagem tem mais de 4.096 caracteres, o máximo do WhatsApp.' }],
    })
  })

  it('is refused with its size where it does not fit, read or not', async () => {
    const { newFlow, save, request } = await desk()
    const id = await newFlow()
    const large = saying('a'.repeat(90_000))
    large.nodes = Array.from({ length: 9 }, (_, index) => ({ ...large.nodes[1], id: `${index}` })) as never
    const imported = { name: 'Grande', document: saying('a'.repeat(5_000_000)) }
    for (const refused of [await save(id, large, 0), await request('POST', '/api/flows', imported)])
      expect([refused.statusCode, refused.json().title]).toEqual([413, expect.stringContaining('cabem 700 kB')])
  })

  it.each([
    [{ blocos: [] }, '“nodes” falta ou é de outro tipo'],
    ['texto', 'Este arquivo não é de um fluxo do Prosa.'],
    [{ ...starterFlow(), nodes: [...starterFlow().nodes, { id: 'x', type: 'webhook' }] }, 'Passo 3 (de um tipo'],
    [saying('a'.repeat(100_001)), 'Passo 2 (Mensagem): o texto passa de 100.000 caracteres (campo “message”).'],
    [{ ...starterFlow(), links: [{ id: 'a' }] }, 'Ligação 1: o valor falta'],
    [
      { ...starterFlow(), settings: { ...starterFlow().settings, silenceHours: 0 } },
      'Configurações, horas de silêncio: o mínimo é 1.',
    ],
  ])('names the place of what it cannot read: case %#', async (document, sentence) => {
    const { request } = await desk()
    const reply = await request('POST', '/api/flows', { name: 'Importado', document })
    expect(reply.statusCode).toBe(422)
    const messages = reply.json().errors.map(({ message }: { message: string }) => message)
    expect(messages.join('\n')).toContain(sentence)
  })
})

describe('publishing', () => {
  it('makes versions, which are turned off and on, and become the draft again', async () => {
    const { newFlow, save, publish, request, events } = await desk()
    const id = await newFlow()
    expect((await publish(id)).json()).toMatchObject({ status: 'active', version: 1 })
    await save(id, saying('Oi'), 0)
    expect((await publish(id, 1)).json()).toMatchObject({ status: 'active', version: 2 })
    expect((await request('PUT', `/api/flows/${id}/on`, { isOn: false })).json().status).toBe('inactive')
    const restored = await request('POST', `/api/flows/${id}/versions/1/restore`, { basedOn: 1 })
    expect(restored.json()).toMatchObject({ revision: 2, isChanged: true, version: 2, document: starterFlow() })
    expect((await events('FlowDraftKept')).at(-1)?.data).toMatchObject({ restoredVersion: 1 })
    for (const version of ['3', '0', 'x'])
      expect((await request('POST', `/api/flows/${id}/versions/${version}/restore`, { basedOn: 2 })).json().type).toBe(
        'flow_version_not_found',
      )
  })

  it('names everything that is in the way, patterns among it', async () => {
    const { request } = await desk()
    const document = saying(' ')
    document.nodes.push({
      id: 'padrao',
      type: 'condition',
      position: { x: 0, y: 0 },
      data: { condition: '', test: { kind: 'matches', variable: 'resposta', pattern: '(a+)\\1' } },
    })
    const problems = (await request('POST', '/api/flows/check', { document })).json()
    expect(problems.map(({ kind }: { kind: string }) => kind)).toEqual(['bad_pattern', 'empty_message', 'unreachable'])
  })

  it('is refused while the flow names labels or flows that the account does not have', async () => {
    const { tenant, newFlow, save, publish, request, record } = await desk()
    const [mine, theirs] = [await newFlow(), await (await desk()).newFlow()]
    const [id, labelId] = [await newFlow(), randomUUID()]
    const document = starterFlow()
    const [place, source] = [{ x: 0, y: 0 }, 'resposta']
    document.nodes.push(
      { id: 'fiel', type: 'label', position: place, data: { labelId, isLabelled: true } },
      { id: 'segue', type: 'flow', position: place, data: { flowId: theirs } },
    )
    document.links.push(
      { id: 'a', source, target: 'fiel', sourceHandle: null },
      { id: 'b', source: 'fiel', target: 'segue', sourceHandle: null },
    )
    const sentences = [
      { field: 'fiel', message: 'Esta etiqueta não existe mais: escolha outra.' },
      { field: 'segue', message: 'O fluxo seguinte não existe mais: escolha outro.' },
    ]
    await save(id, document, 0)
    expect((await publish(id, 1)).json()).toMatchObject({ type: 'flow_has_errors', errors: sentences })
    const problems = (await request('POST', '/api/flows/check', { document })).json()
    expect(problems.map(({ sentence }: { sentence: string }) => sentence)).toEqual(
      sentences.map(({ message }) => message),
    )
    await record(`label-${tenant}`, { type: 'LabelCreated', data: { labelId, name: 'Fiel', colour: 'green' } })
    const last = document.nodes.at(-1)
    if (last?.type === 'flow') last.data.flowId = mine
    await save(id, document, 1)
    expect((await publish(id, 2)).json()).toMatchObject({ status: 'active' })
  })

  it('is refused while the flow names connections or files that are not the account’s, or are gone', async () => {
    const [shop, stranger] = [await desk(), await desk()]
    const { record, newFlow, save, publish, request } = shop
    const added = { type: 'ConnectionAdded', data: { name: 'Loja' } } as const
    const stored = {
      type: 'MediaStored',
      data: { contactId: null, mediaType: 'application/pdf', bytes: 3, sha256: 'a'.repeat(64) },
    } as const
    const [line, removed, theirs] = [randomUUID(), randomUUID(), randomUUID()]
    const [file, erased, foreign] = [randomUUID(), randomUUID(), randomUUID()]
    await record(`connection-${line}`, added)
    await record(`connection-${removed}`, added)
    await record(`connection-${removed}`, { type: 'ConnectionRemoved', data: {} })
    await stranger.record(`connection-${theirs}`, added)
    await record(`media-${file}`, stored)
    await record(`media-${erased}`, stored)
    await record(`media-${erased}`, { type: 'MediaErased', data: {} })
    await stranger.record(`media-${foreign}`, stored)
    const naming = (connectionId: string, fileId: string) => {
      const document = starterFlow()
      document.settings.connectionIds = [connectionId]
      for (const node of document.nodes)
        if (node.type === 'message')
          node.data.file = {
            ...{ kind: 'document', fileName: 'menu.pdf' },
            file: { id: fileId, mediaType: 'application/pdf', bytes: 3, source: null },
          }
      return document
    }
    const sentences = [
      { field: '', message: 'Uma conexão escolhida em Configurações não existe mais: desmarque-a.' },
      { field: 'resposta', message: 'O arquivo “menu.pdf” não existe mais: envie-o de novo.' },
    ]
    const id = await newFlow()
    let revision = 0
    for (const [connectionId, fileId] of [
      [removed, erased],
      [theirs, foreign],
      [randomUUID(), randomUUID()],
    ] as const) {
      const document = naming(connectionId, fileId)
      await save(id, document, revision++)
      expect((await publish(id, revision)).json()).toMatchObject({ type: 'flow_has_errors', errors: sentences })
      const found: { kind: string }[] = (await request('POST', '/api/flows/check', { document })).json()
      expect(found.map(({ kind }) => kind)).toEqual(['no_connection', 'no_file'])
      const imported = await request('POST', '/api/flows', { name: 'De outra conta', document })
      const copied = await request('POST', `/api/flows/${imported.json().id}/duplicate`)
      for (const reply of [imported, copied]) {
        expect(reply.statusCode).toBe(201)
        expect((await publish(reply.json().id)).json().type).toBe('flow_has_errors')
      }
    }
    await save(id, naming(line, file), revision++)
    expect((await publish(id, revision)).json()).toMatchObject({ status: 'active' })
  })

  it('of a copied folder is refused as that of the flow that it was copied from', async () => {
    const { request, newFolder, newFlow, save, publish, events } = await desk()
    const folderId = await newFolder()
    const id = await newFlow({ folderId })
    const document = starterFlow()
    document.settings.connectionIds = [randomUUID()]
    await save(id, document, 0)
    await request('POST', `/api/flow-folders/${folderId}/duplicate`)
    const copies = ids(await events('FlowCreated')).filter((stream) => stream !== `flow-${id}`)
    expect(copies).toHaveLength(1)
    expect((await publish(copies[0]?.slice('flow-'.length) ?? '')).json().type).toBe('flow_has_errors')
  })

  it('must come before a flow greets new contacts', async () => {
    const { newFlow, publish, request, events } = await desk()
    const id = await newFlow()
    expect((await request('PUT', '/api/default-flow', { flowId: id })).json().type).toBe('flow_not_published')
    await publish(id)
    for (let time = 0; time < 2; time++)
      expect((await request('PUT', '/api/default-flow', { flowId: id })).json()).toEqual({ flowId: id })
    expect(await events('DefaultFlowChosen')).toHaveLength(1)
  })
})

describe('an account', () => {
  const registered = (): AnyEvent => ({
    type: 'UserRegistered',
    data: { firstName: 'Ana', lastName: 'Lima', email: 'ana@example.com', credentialId: randomUUID() },
  })

  it('begins with three folders of ten drafts, and takes everything with it', async () => {
    const { tenant, record, events, newFolder, newFlow, request } = await desk()
    await record(`user-${tenant}`, registered())
    await service.until(async () => (await events('FlowCreated')).length === 10)
    expect(ids(await events('FlowFolderCreated')).sort()).toEqual(
      sampleFolders(tenant)
        .map(({ id }) => `flowFolder-${id}`)
        .sort(),
    )
    const own = await newFlow({ folderId: await newFolder() })
    await request('POST', `/api/flows/${own}/publish`, { basedOn: 0 })
    await request('PUT', '/api/default-flow', { flowId: own })
    await record(`user-${tenant}`, { type: 'UserErased', data: {} })
    await service.until(async () => (await events('DefaultFlowChosen')).length === 2)
    expect(await events('FlowDeleted')).toHaveLength(11)
    expect(await events('FlowFolderDeleted')).toHaveLength(4)
  })

  it('that was erased gets no samples', async () => {
    const { tenant, record, events } = await desk()
    await record(`user-${tenant}`, { type: 'UserErased', data: {} })
    await record(`user-${tenant}`, registered())
    const next = await desk()
    await next.record(`user-${next.tenant}`, registered())
    await service.until(async () => (await next.events('FlowCreated')).length === 10)
    expect(await events('FlowCreated', 'FlowFolderCreated')).toEqual([])
  })
})

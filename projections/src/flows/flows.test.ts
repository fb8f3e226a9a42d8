import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { erasedFlowDocument, type FlowDocument } from '@prosa/contracts/flows/flow-document'
import { newNode, starterFlow } from '@prosa/contracts/flows/new-node'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'

let prosa: Awaited<ReturnType<typeof testProjections>>
beforeAll(async () => {
  prosa = await testProjections({ now: () => at(9000) })
})
afterAll(() => prosa.stop())

let latest = ''
const record = async (tenant: string, stream: string, ...events: AnyEvent[]) => {
  for (const event of events) latest = await prosa.append(tenant, stream, event)
}
const get = async (user: string, path: string) => (await prosa.get(`/api/${path}`, user, latest)).body
const namesIn = async (user: string, path: string): Promise<string[]> =>
  (await get(user, path)).map(({ name }: { name: string }) => name)

const created = (name: string, folder: string | null = null, document = starterFlow()): AnyEvent => ({
  type: 'FlowCreated',
  data: { name, folderId: folder && idOf(folder), document, origin: 'new' },
})
const saying = (message: string): FlowDocument => {
  const document = starterFlow()
  for (const node of document.nodes) if (node.type === 'message') node.data.message = message
  return document
}
const saved = (revision: number, document: FlowDocument): AnyEvent => ({
  type: 'FlowDraftSaved',
  data: { revision, document, restoredVersion: null },
})
const published = (version: number, document = starterFlow()): AnyEvent => ({
  type: 'FlowPublished',
  data: { version, document },
})
const folderCreated = (name: string): AnyEvent => ({
  type: 'FlowFolderCreated',
  data: { name, description: `Sobre ${name}`, isSample: false },
})
const deleted: AnyEvent = { type: 'FlowDeleted', data: {} }
const erased: AnyEvent = { type: 'UserErased', data: {} }

describe('folders of flows', () => {
  it('come by name, whatever its case and accents, with how many flows are in them', async () => {
    const ana = idOf('folders of ana')
    for (const name of ['Vendas', 'ágil', 'Antiga']) await record(ana, `flowFolder-${idOf(name)}`, folderCreated(name))
    await record(ana, `flowFolder-${idOf('Antiga')}`, { type: 'FlowFolderDeleted', data: {} })
    await record(ana, `flowFolder-${idOf('Vendas')}`, {
      type: 'FlowFolderDescribed',
      data: { name: 'Zelo', description: '' },
    })
    for (const name of ['um', 'dois', 'três']) await record(ana, `flow-${idOf(name)}`, created(name, 'ágil'))
    await record(ana, `flow-${idOf('um')}`, { type: 'FlowMoved', data: { folderId: idOf('Vendas') } })
    await record(ana, `flow-${idOf('dois')}`, deleted)
    expect(await get(ana, 'flow-folders')).toMatchObject([
      { id: idOf('ágil'), name: 'ágil', description: 'Sobre ágil', flowCount: 1 },
      { id: idOf('Vendas'), name: 'Zelo', description: '', flowCount: 1 },
    ])
    expect((await prosa.get('/api/flow-folders')).status).toBe(401)
  })
})

describe('flows', () => {
  it('come the one that changed last first, each with its state', async () => {
    const bia = idOf('flows of bia')
    const flow = (name: string) => `flow-${idOf(`bia ${name}`)}`
    await record(bia, flow('off'), created('off'), published(1), { type: 'FlowTurnedOff', data: {} })
    await record(bia, flow('on'), created('on'), published(1))
    await record(bia, flow('draft'), created('draft'))
    await record(bia, flow('off'), { type: 'FlowRenamed', data: { name: 'parado' } })
    expect(
      (await get(bia, 'flows')).map(({ name, status, version }: Record<string, unknown>) => [name, status, version]),
    ).toEqual([
      ['parado', 'inactive', 1],
      ['draft', 'draft', null],
      ['on', 'active', 1],
    ])
    expect(
      (await get(bia, 'automation-projects')).map(({ name, ...of }: Record<string, unknown>) => [
        name,
        of.status,
        of.isActive,
        of.nodeCount,
      ]),
    ).toEqual([
      ['parado', 'paused', false, 2],
      ['draft', 'paused', false, 2],
      ['on', 'active', true, 2],
    ])
  })

  it('show their draft, and whether it is what runs', async () => {
    const caio = idOf('caio')
    const id = idOf('flow of caio')
    const shown = async () => {
      const { document, revision, isChanged, version } = await get(caio, `flows/${id}`)
      return [document.nodes.at(-1).data.message, revision, isChanged, version]
    }
    const [starter] = [starterFlow().nodes.at(-1)]
    const first = starter?.type === 'message' ? starter.data.message : ''
    await record(caio, `flow-${id}`, created('Oi'))
    expect(await shown()).toEqual([first, 0, true, null])
    await record(caio, `flow-${id}`, published(1))
    expect(await shown()).toEqual([first, 0, false, 1])
    await record(caio, `flow-${id}`, saved(1, saying('Oi')))
    expect(await shown()).toEqual(['Oi', 1, true, 1])
    await record(caio, `flow-${id}`, published(2, saying('Oi')))
    expect(await shown()).toEqual(['Oi', 1, false, 2])
  })

  it('show the draft that stands beside the log, also while the row is behind, and their own tenant’s only', async () => {
    const [nina, ivo] = [idOf('nina'), idOf('ivo')]
    const id = idOf('flow of nina')
    const { drafts } = prosa.ports
    const keep = async (revision: number, message: string, tenant = nina): Promise<AnyEvent> => {
      const text = JSON.stringify({ version: 1, document: saying(message) })
      const digest = drafts.digestOf(tenant, text)
      await drafts.write(tenant, { id, revision, digest }, text)
      const data = { revision, digest, sizeBytes: text.length, nodeCount: 2, fileIds: [], restoredVersion: null }
      return { type: 'FlowDraftKept', data }
    }
    const shown = async () => {
      const { document, revision, isChanged, nodeCount } = await get(nina, `flows/${id}`)
      return [document.nodes.at(-1).data.message, revision, isChanged, nodeCount]
    }
    await record(nina, `flow-${id}`, created('Oi', null, erasedFlowDocument), await keep(0, 'Começo'))
    expect(await shown()).toEqual(['Começo', 0, true, 2])
    await record(nina, `flow-${id}`, saved(1, saying('No log')), published(1, saying('No log')))
    expect(await shown()).toEqual(['No log', 1, false, 2])
    await record(nina, `flow-${id}`, await keep(2, 'Ao lado'))
    expect(await shown()).toEqual(['Ao lado', 2, true, 2])
    expect((await get(nina, `flows/${id}/file`)).document).toEqual(saying('Ao lado'))
    expect((await prosa.get(`/api/flows/${id}`, ivo, latest)).status).toBe(404)
    const next = await keep(3, 'Depois')
    await prosa.ports.pool.query('delete from draft where id = $1 and revision < 3', [id])
    const asked = shown()
    await record(nina, `flow-${id}`, next)
    expect(await asked).toEqual(['Depois', 3, true, 2])
    await prosa.ports.pool.query('delete from draft where id = $1', [id])
    expect((await prosa.get(`/api/flows/${id}`, nina, latest)).body.type).toBe('draft_missing')
  })

  it('are had as a file, named after the flow', async () => {
    const davi = idOf('davi')
    await record(davi, `flow-${idOf('file')}`, created('Preço & "prazo"/dia'))
    const { headers, body } = await prosa.get(`/api/flows/${idOf('file')}/file`, davi, latest)
    expect(body).toEqual({ format: 'prosa-flow', version: 1, name: 'Preço & "prazo"/dia', document: starterFlow() })
    expect(headers['content-disposition']).toBe(
      `attachment; filename="fluxo.json"; filename*=UTF-8''Pre%C3%A7o%20%26%20%20prazo%20%20dia.json`,
    )
  })

  it('are nobody else’s, and go with the account of their subscriber', async () => {
    const [eva, gil] = [idOf('eva'), idOf('gil')]
    const id = idOf('flow of eva')
    await record(eva, `flow-${id}`, created('de Eva'), published(1))
    await record(eva, `flowFolder-${idOf('folder of eva')}`, folderCreated('de Eva'))
    await record(eva, `defaultFlow-${eva}`, { type: 'DefaultFlowChosen', data: { flowId: id } })
    expect(await get(eva, 'default-flow')).toEqual({ flowId: id })
    expect(await get(gil, 'default-flow')).toEqual({ flowId: null })
    for (const path of ['', '/file', '/versions', '/versions/1'])
      expect([path, (await prosa.get(`/api/flows/${id}${path}`, gil, latest)).status]).toEqual([path, 404])
    await record(eva, `user-${eva}`, erased)
    for (const path of ['flows', 'flow-folders', 'automation-projects']) expect(await get(eva, path)).toEqual([])
    expect(await get(eva, 'default-flow')).toEqual({ flowId: null })
    expect((await prosa.get(`/api/flows/${id}/versions`, eva, latest)).status).toBe(404)
  })

  it('greet nobody once they are deleted', async () => {
    const rui = idOf('rui')
    const id = idOf('flow of rui')
    await record(rui, `flow-${id}`, created('Olá'), published(1))
    await record(rui, `defaultFlow-${rui}`, { type: 'DefaultFlowChosen', data: { flowId: id } })
    await record(rui, `flow-${id}`, deleted)
    expect(await get(rui, 'default-flow')).toEqual({ flowId: null })
  })
})

describe('versions', () => {
  const lia = idOf('lia')
  const id = idOf('flow of lia')

  it('tell who published them, when, and how many steps changed, wherever those stand', async () => {
    await record(lia, `user-${lia}`, {
      type: 'UserRegistered',
      data: { firstName: 'Lia', lastName: 'Reis', email: 'lia@example.com', credentialId: idOf('secret') },
    })
    const second = saying('Oi')
    for (const node of second.nodes) node.position = { x: 900, y: 15 }
    const third = saying('Oi')
    third.nodes = [...third.nodes.slice(0, 1), newNode('message', 'nova', { x: 0, y: 0 })]
    third.links = [{ id: 'a', source: 'inicio', target: 'nova', sourceHandle: null }]
    await record(lia, `flow-${id}`, created('Olá'), published(1), published(2, second), published(3, third))
    const versions = await get(lia, `flows/${id}/versions`)
    expect(versions).toMatchObject([
      { version: 3, added: 1, removed: 1, changed: 1 },
      { version: 2, added: 0, removed: 0, changed: 1 },
      { version: 1, added: 2, removed: 0, changed: 0 },
    ])
    expect(await get(lia, `flows/${id}/versions/2`)).toEqual({ ...versions[1], document: second })
    for (const version of ['4', '0', 'x', '99999999999999999999'])
      expect((await prosa.get(`/api/flows/${id}/versions/${version}`, lia, latest)).status).toBe(404)
  })

  it('name whoever published them', async () => {
    await prosa.ports.pool.query('update flow_version set publisher_id = $1 where flow_id = $2', [lia, id])
    const named = await get(lia, `flows/${id}/versions`)
    expect(named.map(({ publishedBy }: { publishedBy: string }) => publishedBy)).toEqual(Array(3).fill('Lia Reis'))
  })

  it('go with their flow', async () => {
    await record(lia, `flow-${id}`, deleted)
    expect(await namesIn(lia, 'flows')).toEqual([])
    const versionsKept = async () =>
      (await prosa.ports.pool.query('select from flow_version where flow_id = $1', [id])).rowCount
    await expect.poll(versionsKept).toBe(0)
  })
})

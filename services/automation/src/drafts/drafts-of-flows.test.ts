import { randomUUID } from 'node:crypto'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { starterFlow } from '@prosa/contracts/flows/new-node'
import { idempotencyKeyHeader } from '@prosa/contracts/http/problem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flowHandlers } from '../flow-handlers.ts'
import { testFlows } from '../testing/test-flows.ts'
import { dropLeftOver } from './sweep-drafts.ts'

const kilobyte = 1000
const roomForDrafts = 2_000 * kilobyte
let now = '2026-11-25T15:00:00.000Z'
let service: Awaited<ReturnType<typeof testFlows>>
beforeAll(async () => {
  const budgets = {
    draftBytesPerTenant: roomForDrafts,
    draftBytesPerDay: 20_000 * kilobyte,
    publishedBytesPerTenant: 500 * kilobyte,
    publishedBytesPerDay: 300 * kilobyte,
  }
  service = await testFlows({ budgets, clock: { now: () => now } })
})
afterAll(() => service.stop())

const saying = (message: string): FlowDocument => {
  const document = starterFlow()
  for (const node of document.nodes) if (node.type === 'message') node.data.message = message
  return document
}
const large = (bytes: number, mark = 'a', inOne = 90_000): FlowDocument => {
  const document = saying(mark)
  const [message] = document.nodes.filter(({ type }) => type === 'message')
  if (message?.type !== 'message') throw new Error('the starter says something')
  for (let left = bytes, index = 0; left > 0; left -= inOne, index++) {
    const text = 'a'.repeat(Math.min(left, inOne))
    document.nodes.push({ ...message, id: `m${index}`, data: { ...message.data, message: text } })
  }
  return document
}

type Desk = Awaited<ReturnType<typeof desk>>
const desk = async () => {
  const subscriber = await service.subscriber()
  const { request, tenant } = subscriber
  const save = (id: string, document: unknown, basedOn: number, headers = {}) =>
    request('PUT', `/api/flows/${id}/draft`, { document, basedOn }, headers)
  return {
    ...subscriber,
    save,
    newFlow: async (body: object = {}): Promise<string> =>
      (await request('POST', '/api/flows', { name: 'Boas-vindas', ...body })).json().id,
    publish: (id: string, basedOn: number) => request('POST', `/api/flows/${id}/publish`, { basedOn }),
    draftOf: async (id: string) => {
      const { text } = (await rowsOf(tenant)).find((row) => row.id === id) ?? {}
      return text && JSON.parse(text).document
    },
  }
}

const rowsOf = async (tenant: string) => {
  const { rows } = await service.ports.pool.query<{ id: string; revision: number; digest: string; bytes: number }>(
    'select id, revision, digest, octet_length(document) as bytes from draft where owner = $1 order by id, revision',
    [tenant],
  )
  return Promise.all(rows.map(async (row) => ({ ...row, text: await service.ports.drafts.read(tenant, row) })))
}
const bytesOf = async (tenant: string) => (await rowsOf(tenant)).reduce((sum, { bytes }) => sum + bytes, 0)
const bytesInLog = async ({ events }: Desk) =>
  JSON.stringify(
    (await events('FlowCreated', 'FlowDraftKept', 'FlowDraftSaved', 'FlowPublished', 'FlowDeleted')).map(
      ({ data }) => data,
    ),
  ).length
const makeOld = (tenant: string) =>
  service.ports.pool.query(`update draft set kept_at = now() - interval '2 hours' where owner = $1`, [tenant])

describe('twenty savings of a large draft', () => {
  it('leave the last of them, and twenty small events of who saved when', async () => {
    const ana = await desk()
    const id = await ana.newFlow()
    for (let revision = 0; revision < 20; revision++)
      expect((await ana.save(id, large(600 * kilobyte, `${revision}`), revision)).statusCode).toBe(200)
    await service.until(async () => (await rowsOf(ana.tenant)).length === 1)
    const stored = await bytesOf(ana.tenant)
    expect(stored).toBeGreaterThan(600 * kilobyte)
    expect(stored).toBeLessThan(620 * kilobyte)
    expect(await ana.events('FlowDraftKept')).toHaveLength(21)
    expect(await bytesInLog(ana)).toBeLessThan(10 * kilobyte)
    expect(await ana.draftOf(id)).toEqual(large(600 * kilobyte, '19'))
  })

  it('give all of it back with the flow, with its folder and with the account', async () => {
    const ana = await desk()
    const folderId = (await ana.request('POST', '/api/flow-folders', { name: 'Vendas' })).json().id
    const [alone, inFolder, left] = [await ana.newFlow(), await ana.newFlow({ folderId }), await ana.newFlow()]
    for (const id of [alone, inFolder, left]) await ana.save(id, large(300 * kilobyte), 0)
    await service.until(async () => (await rowsOf(ana.tenant)).length === 3)
    await ana.request('DELETE', `/api/flows/${alone}`)
    await ana.request('DELETE', `/api/flow-folders/${folderId}`)
    expect((await rowsOf(ana.tenant)).map(({ id }) => id)).toEqual([left])
    await ana.record(`user-${ana.tenant}`, { type: 'UserErased', data: {} })
    const counted = 'select from tenant_spending where owner = $1'
    await service.until(async () => {
      const { rowCount } = await service.ports.pool.query(counted, [ana.tenant])
      return rowCount === 0 && (await bytesOf(ana.tenant)) === 0
    })
  })
})

describe('a draft that the log holds, as versions before stored it', () => {
  it('is published, copied, saved over and counted as it was', async () => {
    const ana = await desk()
    const id = randomUUID()
    const created = { name: 'Antigo', folderId: null, document: starterFlow(), origin: 'new' } as const
    await ana.record(`flow-${id}`, { type: 'FlowCreated', data: created })
    await ana.record(`flow-${id}`, {
      type: 'FlowDraftSaved',
      data: { revision: 1, document: saying('De antes'), restoredVersion: null },
    })
    expect((await ana.save(id, saying('De antes'), 1)).json().revision).toBe(1)
    const copyId = (await ana.request('POST', `/api/flows/${id}/duplicate`)).json().id
    expect(await ana.draftOf(copyId)).toEqual(saying('De antes'))
    expect((await ana.publish(id, 1)).json()).toMatchObject({ version: 1, status: 'active' })
    expect((await ana.events('FlowPublished'))[0]?.data).toMatchObject({ document: saying('De antes') })
    const before = (await rowsOf(ana.tenant)).length
    expect((await ana.save(id, saying('Agora'), 0)).json().type).toBe('flow_draft_conflict')
    expect(await rowsOf(ana.tenant)).toHaveLength(before)
    expect((await ana.save(id, saying('Agora'), 1)).json().revision).toBe(2)
    expect(await ana.draftOf(id)).toEqual(saying('Agora'))
    const restored = await ana.request('POST', `/api/flows/${id}/versions/1/restore`, { basedOn: 2 })
    expect(restored.json()).toMatchObject({ revision: 3, document: saying('De antes') })
  })
})

describe('two processes that save at once', () => {
  it('leave the draft of the one that won, whatever the other had stored', async () => {
    const ana = await desk()
    const other = await service.another()
    const id = await ana.newFlow()
    for (let round = 0; round < 10; round++) {
      const saves = await Promise.all([
        ana.save(id, saying(`um ${round}`), round),
        other.inject({
          method: 'PUT',
          url: `/api/flows/${id}/draft`,
          payload: { document: saying(`outro ${round}`), basedOn: round },
          headers: { cookie: ana.cookie },
        }),
      ])
      const won = saves.findIndex(({ statusCode }) => statusCode === 200)
      expect(saves.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
      const named = (await ana.events('FlowDraftKept')).at(-1)
      if (named?.type !== 'FlowDraftKept') throw new Error('no draft was saved')
      const text = await service.ports.drafts.read(ana.tenant, { id, ...named.data })
      expect(JSON.parse(text ?? '').document).toEqual(saying(`${won === 0 ? 'um' : 'outro'} ${round}`))
    }
  })

  it('leave nothing that no event names: an hour later it goes, and what one names stays', async () => {
    const ana = await desk()
    const id = await ana.newFlow()
    await service.until(async () => (await service.ports.drafts.leftOver(500)).length === 0)
    const { drafts, log } = service.ports
    await drafts.write(ana.tenant, { id, revision: 1, digest: 'recusado' }, '{}')
    await drafts.write(ana.tenant, { id: randomUUID(), revision: 0, digest: 'morto' }, '{}')
    await service.ports.pool.query('update draft set is_confirmed = false where owner = $1', [ana.tenant])
    await makeOld(ana.tenant)
    await dropLeftOver({ ...flowHandlers(service.ports), drafts }, log)
    expect(
      (await rowsOf(ana.tenant)).map(({ revision, text }) => [revision, text && JSON.parse(text).document]),
    ).toEqual([[0, starterFlow()]])
    expect(await drafts.leftOver(500)).toEqual([])
  })
})

describe('the room for drafts of an account', () => {
  it('refuses what does not fit in words, leaves nothing of it, and is another account’s whole', async () => {
    const [ana, bia] = [await desk(), await desk()]
    const ids = [await ana.newFlow(), await ana.newFlow(), await ana.newFlow(), await ana.newFlow()]
    for (const id of ids.slice(0, 3)) expect((await ana.save(id, large(600 * kilobyte), 0)).statusCode).toBe(200)
    const refused = await ana.save(ids[3] ?? '', large(600 * kilobyte), 0)
    expect([refused.statusCode, refused.json()]).toMatchObject([
      413,
      { type: 'drafts_full', title: expect.stringContaining('está cheio. Exclua fluxos') },
    ])
    expect((await ana.request('POST', '/api/flows', { name: 'a', document: large(600 * kilobyte) })).json().type).toBe(
      'drafts_full',
    )
    expect((await ana.request('POST', `/api/flows/${ids[0]}/duplicate`)).json().type).toBe('drafts_full')
    expect(await ana.events('FlowCreated')).toHaveLength(4)
    await service.until(async () => (await rowsOf(ana.tenant)).length === 4)
    expect((await ana.save(ids[0] ?? '', large(600 * kilobyte, 'b'), 1)).statusCode).toBe(200)
    expect((await bia.save(await bia.newFlow(), large(600 * kilobyte), 0)).statusCode).toBe(200)
    await ana.request('DELETE', `/api/flows/${ids[1]}`)
    expect((await ana.save(ids[3] ?? '', large(600 * kilobyte), 0)).statusCode).toBe(200)
  })

  it('is for all copies of a folder, or for none', async () => {
    const ana = await desk()
    const folderId = (await ana.request('POST', '/api/flow-folders', { name: 'Vendas' })).json().id
    for (let index = 0; index < 3; index++) await ana.newFlow({ folderId, document: large(300 * kilobyte, `${index}`) })
    expect((await ana.request('POST', `/api/flow-folders/${folderId}/duplicate`)).json()).toMatchObject({
      flowCount: 3,
    })
    await service.until(async () => (await rowsOf(ana.tenant)).length === 6)
    const refused = await ana.request('POST', `/api/flow-folders/${folderId}/duplicate`)
    expect([refused.statusCode, refused.json().type]).toEqual([413, 'drafts_full'])
    expect(await ana.events('FlowFolderCreated')).toHaveLength(2)
    expect(await ana.events('FlowCreated')).toHaveLength(6)
    expect(await rowsOf(ana.tenant)).toHaveLength(6)
  })

  it('ends at 1,000 flows, also where two processes make the last ones at once', async () => {
    const ana = await desk()
    const other = await service.another()
    await service.ports.pool.query(
      `insert into flow_place select $1 || 'flow' || n, $1, 'flow', null from generate_series(1, 995) n`,
      [ana.tenant],
    )
    const make = {
      method: 'POST',
      url: '/api/flows',
      payload: { name: 'Mais um' },
      headers: { cookie: ana.cookie },
    } as const
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 2 ? other.inject(make) : ana.request('POST', make.url, make.payload),
      ),
    )
    expect(made.filter(({ statusCode }) => statusCode === 201)).toHaveLength(5)
    expect(await ana.events('FlowCreated')).toHaveLength(5)
  })

  it('of a day is over at midnight in São Paulo, and a request that is repeated then is carried out', async () => {
    const ana = await desk()
    const id = await ana.newFlow()
    let revision = 0
    now = '2026-11-26T02:59:00.000Z'
    const key = { [idempotencyKeyHeader]: randomUUID() }
    let reply = await ana.save(id, large(690 * kilobyte, 'x'), revision, key)
    while (reply.statusCode === 200) {
      revision = reply.json().revision
      reply = await ana.save(id, large(690 * kilobyte, `${revision}`), revision)
    }
    expect([reply.statusCode, reply.json().type, reply.headers['retry-after']]).toEqual([
      429,
      'drafts_of_day_used_up',
      '60',
    ])
    expect((await ana.save(id, large(690 * kilobyte, 'x'), 0, key)).json()).toMatchObject({ revision: 1 })
    expect((await ana.save(id, large(690 * kilobyte, 'y'), 0, key)).json().type).toBe('idempotency_key_reused')
    now = '2026-11-26T03:00:00.000Z'
    expect((await ana.save(id, large(690 * kilobyte, 'amanhã'), revision)).json()).toMatchObject({
      revision: revision + 1,
    })
  })
})

const sendable = (mark: string) => large(200 * kilobyte, mark, 4000)

describe('versions, which the log keeps', () => {
  it('are published within the day’s and the account’s budget; what makes none costs nothing', async () => {
    const ana = await desk()
    const id = await ana.newFlow()
    const spent = async () => {
      const { rows } = await service.ports.pool.query(
        `select amount::int from tenant_spending where owner = $1 and day = ''`,
        [ana.tenant],
      )
      return rows[0]?.amount ?? 0
    }
    now = '2026-11-27T15:00:00.000Z'
    await ana.save(id, sendable('a'), 0)
    for (let time = 0; time < 3; time++) expect((await ana.publish(id, 0)).json().type).toBe('flow_draft_conflict')
    expect(await spent()).toBe(0)
    const key = { [idempotencyKeyHeader]: randomUUID() }
    const publish = () => ana.request('POST', `/api/flows/${id}/publish`, { basedOn: 1 }, key)
    expect((await publish()).json()).toMatchObject({ version: 1 })
    expect((await ana.publish(id, 1)).json()).toMatchObject({ version: 1 })
    const once = await spent()
    expect(once).toBeGreaterThan(200 * kilobyte)
    await ana.save(id, saying('b'), 1)
    await service.ports.pool.query('update idempotent_request set reply = null, claimed_until = null')
    expect((await publish()).json()).toMatchObject({ version: 1 })
    expect(await spent()).toBe(once)
    await ana.save(id, sendable('b'), 2)
    const tomorrow = await ana.publish(id, 3)
    expect([tomorrow.statusCode, tomorrow.json().type]).toEqual([429, 'versions_of_day_used_up'])
    expect([await spent(), (await ana.events('FlowPublished')).length]).toEqual([once, 1])
    now = '2026-11-28T15:00:00.000Z'
    expect((await ana.publish(id, 3)).json()).toMatchObject({ version: 2 })
    await ana.save(id, sendable('c'), 3)
    now = '2026-11-29T15:00:00.000Z'
    const never = await ana.publish(id, 4)
    expect([never.statusCode, never.json().type]).toEqual([413, 'versions_full'])
    expect((await ana.request('PUT', `/api/flows/${id}/on`, { isOn: false })).json().status).toBe('inactive')
  })
})

describe('a draft that is not there', () => {
  it('is said in words, and saving or taking a version back makes one again', async () => {
    const ana = await desk()
    now = '2026-11-30T15:00:00.000Z'
    const id = await ana.newFlow()
    await ana.publish(id, 0)
    await ana.save(id, saying('Perdido'), 0)
    await service.ports.pool.query('delete from draft where owner = $1', [ana.tenant])
    expect((await ana.publish(id, 1)).json().type).toBe('draft_missing')
    expect((await ana.request('POST', `/api/flows/${id}/versions/1/restore`, { basedOn: 1 })).json()).toMatchObject({
      revision: 2,
      document: starterFlow(),
    })
  })
})

describe('notes of a flow', () => {
  const note = { id: 'n', text: 'Rever os preços em janeiro', position: { x: 450, y: 90 } }

  it('are in the draft, the version, a restored one and a copy', async () => {
    const ana = await desk()
    const id = await ana.newFlow()
    const document = { ...starterFlow(), notes: [note] }
    expect((await ana.save(id, document, 0)).statusCode).toBe(200)
    expect((await ana.publish(id, 1)).statusCode).toBe(200)
    expect((await ana.save(id, starterFlow(), 1)).statusCode).toBe(200)
    expect('notes' in (await ana.draftOf(id))).toBe(false)
    const restored = await ana.request('POST', `/api/flows/${id}/versions/1/restore`, { basedOn: 2 })
    expect(restored.json().document.notes).toEqual([note])
    const copy = await ana.request('POST', `/api/flows/${id}/duplicate`)
    expect(await ana.draftOf(copy.json().id)).toMatchObject({ notes: [note] })
  })

  it('are refused by number where they are too long or too many', async () => {
    const ana = await desk()
    const id = await ana.newFlow()
    const saving = async (notes: object[]) =>
      (await ana.save(id, { ...starterFlow(), notes }, 0))
        .json()
        .errors?.map(({ message }: { message: string }) => message)
    expect(await saving([note, { ...note, id: 'm', text: 'x'.repeat(1001) }])).toEqual([
      'Nota 2: o texto passa de 1.000 caracteres (campo “text”).',
    ])
    expect(await saving(Array.from({ length: 101 }, (_, at) => ({ ...note, id: `n${at}` })))).toEqual([
      'Este fluxo tem passos, ligações ou notas demais: o máximo é 100.',
    ])
  })
})

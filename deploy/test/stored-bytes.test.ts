import { randomBytes, randomUUID } from 'node:crypto'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { starterFlow } from '@prosa/contracts/flows/new-node'
import type { Flow, FlowDetail, FlowFolder } from '@prosa/contracts/http/flows'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { idempotencyKeyHeader } from '@prosa/contracts/http/problem'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from './product.ts'
import type { Visitor } from './visitor.ts'

let product: Product
beforeAll(async () => {
  product = await startProduct({ eventStoreUrl: process.env.EVENTSTORE_URL, budgets: { changesPerDay: 60 } })
}, 60_000)
afterAll(() => product.stop())

const kilobyte = 1000
const draftOf = (bytes: number): FlowDocument => {
  const document = starterFlow()
  const [message] = document.nodes.filter(({ type }) => type === 'message')
  if (message?.type !== 'message') throw new Error('the starter says something')
  for (let index = 0; index * 90_000 < bytes; index++) {
    const text = randomBytes(Math.min(90_000, bytes - index * 90_000) * 0.75).toString('base64')
    document.nodes.push({ ...message, id: `m${index}`, data: { ...message.data, message: text } })
  }
  return document
}

/** After removal of superseded rows; with the log if it is in PostgreSQL. */
const bytesInDatabase = async (drafts: number): Promise<number> => {
  const { pool } = product.ports
  await until(async () => {
    const { rows } = await pool.query('select count(*)::int as count, bool_and(is_confirmed) as "is" from draft')
    return rows[0].count === drafts && rows[0].is !== false
  })
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  let bytes = 0
  for (const { name } of tables) {
    const { rows } = await pool.query(`select coalesce(sum(pg_column_size(t.*)), 0)::int as bytes from ${name} t`)
    bytes += rows[0].bytes
  }
  return bytes
}

const saveTwentyTimes = async (visitor: Visitor, id: string) => {
  for (let basedOn = 0; basedOn < 20; basedOn++) {
    const body = { document: draftOf(600 * kilobyte), basedOn }
    const saved = await visitor.ask('PUT', `/api/flows/${id}/draft`, body, { [idempotencyKeyHeader]: randomUUID() })
    expect(saved.status).toBe(200)
    // A test run stores nothing, under any key.
    const test = {
      document: body.document,
      inputs: [{ kind: 'message', text: 'oi' }],
      contact: { name: 'Ana', labelIds: [] },
    }
    await visitor.ask('POST', `/api/flows/${id}/test`, test, { [idempotencyKeyHeader]: randomUUID() })
  }
}

describe('what an account leaves in the database', () => {
  it('is one draft after twenty savings and trials of 600 kB, and nothing of it once the flow, its folder or the account is gone', async () => {
    const ana = await product.visitor().register()
    await until(async () => (await ana.get<Flow[]>('/api/flows')).length === 10)
    const before = await bytesInDatabase(0)

    const { id } = await ana.post<Flow>('/api/flows', { name: 'Grande' })
    await saveTwentyTimes(ana, id)
    const afterSaving = (await bytesInDatabase(1)) - before
    expect(afterSaving).toBeGreaterThan(600 * kilobyte)
    expect(afterSaving).toBeLessThan(700 * kilobyte)
    expect((await ana.get<FlowDetail>(`/api/flows/${id}`)).revision).toBe(20)

    const folder = await ana.post<FlowFolder>('/api/flow-folders', { name: 'Pasta' })
    expect((await ana.ask('PATCH', `/api/flows/${id}`, { folderId: folder.id })).status).toBe(200)
    const copy = await ana.post<FlowFolder>(`/api/flow-folders/${folder.id}/duplicate`)
    expect((await bytesInDatabase(2)) - before - afterSaving).toBeLessThan(630 * kilobyte)
    for (const each of [copy, folder])
      expect((await ana.ask('DELETE', `/api/flow-folders/${each.id}`)).status).toBe(200)
    expect((await bytesInDatabase(0)) - before).toBeLessThan(100 * kilobyte)

    await ana.post<Flow>('/api/flows', { name: 'Outro', document: draftOf(600 * kilobyte) })
    await bytesInDatabase(1)
    expect((await ana.ask('POST', '/api/auth/erase-account', { password: ana.password })).status).toBe(200)
    expect((await bytesInDatabase(0)) - before).toBeLessThan(150 * kilobyte)
  })
})

describe('an account that has used up its day', () => {
  it('gets every message of its customers, and may delete; another one works as ever', async () => {
    const [ana, bia] = [await product.visitor().register(), await product.visitor().register()]
    const shop = product.whatsapp.addPhone('5511900000021', 'Loja')
    const customer = product.whatsapp.addPhone('5511988770021', 'Cliente')
    await ana.link(shop)
    const { id } = await ana.post<Flow>('/api/flows', { name: 'Fluxo' })
    const change = () => ana.ask('PATCH', `/api/flows/${id}`, { name: randomUUID() })
    while ((await change()).status === 200);
    expect((await change()).body).toMatchObject({ type: 'day_used_up', title: expect.stringContaining('em um dia') })

    for (const text of ['Oi', 'Alguém?', 'Obrigado']) await customer.sendText('5511900000021', text)
    const contact = await until(async () => (await ana.get<Contact[]>('/api/whatsapp/contacts?status=waiting'))[0])
    await until(async () => (await ana.messages(contact.id)).length === 3)
    expect((await ana.ask('DELETE', `/api/flows/${id}`)).status).toBe(200)
    await bia.post<Flow>('/api/flows', { name: 'Meu' })
    expect((await ana.ask('POST', '/api/auth/logout')).status).toBeLessThan(300)
  })
})

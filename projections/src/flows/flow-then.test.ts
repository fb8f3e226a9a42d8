import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { erasedFlowDocument, type FlowDocument } from '@prosa/contracts/flows/flow-document'
import { starterFlow } from '@prosa/contracts/flows/new-node'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'

let prosa: Awaited<ReturnType<typeof testProjections>>
beforeAll(async () => {
  prosa = await testProjections({ now: () => at(900_000) })
})
afterAll(() => prosa.stop())

const saying = (message: string): FlowDocument => {
  const document = starterFlow()
  for (const node of document.nodes) if (node.type === 'message') node.data.message = message
  return document
}
const read = (id: string, tenant: string, em?: string) =>
  prosa.get(`/api/flows/${id}${em === undefined ? '' : `?em=${encodeURIComponent(em)}`}`, tenant)

const created: AnyEvent = {
  type: 'FlowCreated',
  data: { name: 'Vendas', folderId: null, document: saying('início'), origin: 'new' },
}
const kinds = ['renamed', 'saved', 'published', 'off', 'on', 'deleted'] as const

let flows = 0

it('of any history, every moment shows the flow as it was listed then, with what it ran or, before that, its draft', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...kinds), { maxLength: shortOrLong(6, 30) }), async (steps) => {
      const [tenant, id] = [idOf(`tenant of flow ${flows}`), idOf(`flow ${flows++}`)]
      let [revision, version, ran, draft] = [0, 0, undefined as string | undefined, 'início']
      const known: { em: string; status: number; shown: object; message: string }[] = []
      const note = async (event: AnyEvent) => {
        const position = await prosa.append(tenant, `flow-${id}`, event)
        const { status, body } = await prosa.get(`/api/flows/${id}`, tenant, position)
        const { document: _, correlationId: __, ...shown } = body
        known.push({ em: prosa.tokenOf(tenant, position), status, shown, message: ran ?? draft })
      }
      await note(created)
      for (const step of steps) {
        const document = saying(draft)
        if (step === 'renamed') await note({ type: 'FlowRenamed', data: { name: `Vendas ${known.length}` } })
        if (step === 'saved') {
          draft = `rascunho ${++revision}`
          await note({ type: 'FlowDraftSaved', data: { revision, document: saying(draft), restoredVersion: null } })
        }
        if (step === 'published') {
          ran = draft
          await note({ type: 'FlowPublished', data: { version: ++version, document } })
        }
        if (step === 'off') await note({ type: 'FlowTurnedOff', data: {} })
        if (step === 'on') await note({ type: 'FlowTurnedOn', data: {} })
        if (step === 'deleted') {
          await note({ type: 'FlowDeleted', data: {} })
          break
        }
      }
      for (const { em, status, shown, message } of known) {
        const reply = await read(id, tenant, em)
        const { document, correlationId: _, ...past } = reply.body
        expect(reply.status).toBe(status)
        expect(past).toEqual(shown)
        if (status === 200) expect(document).toEqual(saying(message))
      }
    }),
    { numRuns: shortOrLong(6, 100), endOnFailure: true },
  ))

it('another tenant finds nothing, nor does anybody before it was made; wrong moments are refused in words', async () => {
  const [ana, bia, id] = [idOf('ana'), idOf('bia'), idOf('flow of ana')]
  const position = await prosa.append(ana, `flow-${id}`, created)
  expect((await read(id, ana, at(890_000))).status).toBe(200)
  for (const [tenant, em] of [
    [bia, at(890_000)],
    [ana, '2020-01-01T00:00:00.000Z'],
  ] as const)
    expect((await read(id, tenant, em)).body).toMatchObject({ type: 'flow_not_found', status: 404 })
  expect((await read('x', ana, at(890_000))).body.type).toBe('flow_not_found')
  for (const em of [at(900_001), prosa.tokenOf(bia, position), 'ontem', ''])
    expect((await read(id, ana, em)).body.errors).toMatchObject([{ field: 'em' }])
})

it('a draft beside the log is shown while it is stored, then its absence, never another one', async () => {
  const [nina, id] = [idOf('nina'), idOf('flow of nina')]
  const { drafts } = prosa.ports
  const keep = async (revision: number, message: string): Promise<AnyEvent> => {
    const text = JSON.stringify({ version: 1, document: saying(message) })
    const digest = drafts.digestOf(nina, text)
    await drafts.write(nina, { id, revision, digest }, text)
    const data = { revision, digest, sizeBytes: text.length, nodeCount: 2, fileIds: [], restoredVersion: null }
    return { type: 'FlowDraftKept', data }
  }
  const beside: AnyEvent = {
    type: 'FlowCreated',
    data: { name: 'Vendas', folderId: null, document: erasedFlowDocument, origin: 'new' },
  }
  await prosa.append(nina, `flow-${id}`, beside)
  const first = prosa.tokenOf(nina, await prosa.append(nina, `flow-${id}`, await keep(0, 'um')))
  expect((await read(id, nina, first)).body.document).toEqual(saying('um'))
  const second = prosa.tokenOf(nina, await prosa.append(nina, `flow-${id}`, await keep(1, 'dois')))
  await prosa.ports.pool.query('delete from draft where id = $1 and revision < 1', [id])
  expect((await read(id, nina, first)).body).toMatchObject({ type: 'draft_of_then_gone', status: 404 })
  expect((await read(id, nina, second)).body.document).toEqual(saying('dois'))
})

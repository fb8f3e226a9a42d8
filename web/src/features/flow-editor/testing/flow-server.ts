import { checkFlow } from '@prosa/contracts/flows/check-flow'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import { starterFlow } from '@prosa/contracts/flows/new-node'
import type { OrderedFlow } from '@prosa/contracts/http/automation/flow-order'
import type { FlowDetail } from '@prosa/contracts/http/flows'
import type { Label } from '@prosa/contracts/http/labels'
import { HttpResponse, http } from 'msw'
import { aConnection, anUser, prosaServer, refuse } from '../../../../test/prosa-server.ts'

export const flowId = '3c0d7f1e-2b4a-4a77-9a61-2f5d8f0c1b11'

export const aFlow = (of: Partial<FlowDetail> = {}): FlowDetail => ({
  id: flowId,
  name: 'Boas-vindas',
  folderId: null,
  status: 'draft',
  nodeCount: 2,
  version: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-23T12:00:00.000Z',
  document: starterFlow(),
  revision: 1,
  isChanged: true,
  ...of,
})

export const birthday = {
  id: '3b1f0c52-7c64-4d8e-9a51-2f7b6d0e8c11',
  name: 'Data de nascimento',
  variable: 'data_de_nascimento',
  type: 'date',
} as const
export const vip: Label = { id: '9a1b6f70-0f43-4b0f-8a55-60b2a7e7b001', name: 'VIP', colour: 'green' } as Label

const withoutDraft = ({ document: _, revision: _revision, isChanged: _isChanged, ...flow }: FlowDetail) => flow

export const serveFlow = (of: Partial<FlowDetail> = {}) => {
  const server = {
    flow: aFlow(of),
    savings: [] as FlowDocument[],
    published: [] as number[],
    named: [] as string[],
    /** Problems that only the server finds. */
    problems: [] as FlowProblem[],
    order: [] as OrderedFlow[],
    orders: [] as string[][],
    isDown: false,
  }
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/labels', () => HttpResponse.json([vip])),
    http.get('/api/contact-fields', () => HttpResponse.json([birthday])),
    http.get('/api/whatsapp/connections', () => HttpResponse.json([aConnection()])),
    http.get('/api/flows', () => HttpResponse.json([withoutDraft(server.flow)])),
    http.get('/api/flows/:id', () => HttpResponse.json(server.flow)),
    http.get('/api/flows/:id/statistics', () =>
      HttpResponse.json({
        executions: 0,
        running: 0,
        leads: 0,
        converted: 0,
        lastRunAt: null,
        clickedExecutions: 0,
        nodes: [],
      }),
    ),
    http.put('/api/flows/:id/draft', async ({ request }) => {
      const body = (await request.json()) as { document: FlowDocument; basedOn: number }
      if (server.isDown) return HttpResponse.error()
      if (body.basedOn !== server.flow.revision) return refuse('flow_draft_conflict')
      server.savings.push(body.document)
      const revision = body.basedOn + 1
      server.flow = { ...server.flow, document: body.document, revision, updatedAt: '2026-11-23T12:30:00.000Z' }
      return HttpResponse.json({ id: flowId, revision, updatedAt: server.flow.updatedAt })
    }),
    http.post('/api/flows/:id/publish', async ({ request }) => {
      const { basedOn } = (await request.json()) as { basedOn: number }
      if (server.problems.length > 0) return refuse('flow_has_errors')
      server.published.push(basedOn)
      server.flow = { ...server.flow, status: 'active', version: 1, isChanged: false }
      return HttpResponse.json(withoutDraft(server.flow))
    }),
    http.post('/api/flows/check', async ({ request }) => {
      const { document } = (await request.json()) as { document: FlowDocument }
      return HttpResponse.json([...server.problems, ...checkFlow(document)])
    }),
    http.get('/api/flow-order', () => HttpResponse.json(server.order)),
    http.put('/api/flow-order', async ({ request }) => {
      const { flowIds } = (await request.json()) as { flowIds: string[] }
      server.orders.push(flowIds)
      server.order = server.order.toSorted((one, other) => flowIds.indexOf(one.flowId) - flowIds.indexOf(other.flowId))
      return HttpResponse.json({ flowIds })
    }),
    http.patch('/api/flows/:id', async ({ request }) => {
      const { name } = (await request.json()) as { name: string }
      server.named.push(name)
      server.flow = { ...server.flow, name }
      return HttpResponse.json(withoutDraft(server.flow))
    }),
  )
  return server
}

import type { FlowNodeStatistics, FlowStatistics } from '@prosa/contracts/http/flow-runs'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { flowId, renderPart, someNode } from '../testing/flow-part.tsx'
import { outputCountsOf } from './edge-counts.ts'
import { noCounts, nodeCounts } from './node-counts.ts'
import { NodeStatistics } from './node-statistics.tsx'

withProsaServer()

const counts = (nodeId: string, of: Partial<FlowNodeStatistics>): FlowNodeStatistics => ({ ...noCounts(nodeId), ...of })

const statistics: FlowStatistics = {
  executions: 2527,
  running: 12,
  leads: 2400,
  converted: 1200,
  lastRunAt: null,
  clickedExecutions: 251,
  nodes: [
    counts('ola', { entered: 2527, sent: 2500, delivered: 2500, read: 1250, clicked: 250, droppedOff: 10 }),
    counts('oferta', { entered: 100, sent: 100, clicked: 3 }),
    counts('sim', { entered: 40, outputs: { true: 30 } }),
    counts('pedir', { entered: 50, droppedOff: 5, outputs: { answer: 40, timeout: 5 } }),
    counts('fim', { entered: 7, outputs: { next: 7 } }),
  ],
}

const shown = (node: Parameters<typeof nodeCounts>[0], of = statistics) =>
  nodeCounts(node, of).map(({ label, value, share }) => (share ? `${label} ${value} (${share})` : `${label} ${value}`))

describe('the numbers of a node', () => {
  it('are executions and opened links at the trigger', () => {
    expect(shown(someNode('trigger', 'inicio'))).toEqual(['Execuções 2.527', 'CTR 9,9%', 'Em andamento 12'])
  })

  it('are the way of a message to the reader', () => {
    expect(shown(someNode('message', 'ola'))).toEqual([
      'Enviadas 2.500',
      'Entregues 100,0%',
      'Lidas 50,0%',
      'Clicadas 10,0%',
      'Pararam aqui 10 (0,4%)',
    ])
  })

  it('are the answers of questions and conditions', () => {
    expect(shown(someNode('question', 'pedir'))).toEqual([
      'Passagens 50',
      'Respondeu 40 (80,0%)',
      'Não respondeu 5 (10,0%)',
      'Pararam aqui 5 (10,0%)',
    ])
    expect(shown(someNode('condition', 'sim')).slice(1, 3)).toEqual(['Verdadeiro 30 (75,0%)', 'Falso 0 (0,0%)'])
  })

  it('are 0 before anybody came by', () => {
    expect(shown(someNode('message', 'nova'))).toEqual([
      'Enviadas 0',
      'Entregues 0%',
      'Lidas 0%',
      'Clicadas 0%',
      'Pararam aqui 0 (0%)',
    ])
  })
})

describe('the count at an edge', () => {
  const countOf = outputCountsOf(statistics)
  it('is how often runs left by it', () => {
    expect(countOf({ source: 'sim', sourceHandle: 'true' })).toBe(30)
    expect(countOf({ source: 'sim', sourceHandle: 'false' })).toBe(0)
    expect(countOf({ source: 'fim', sourceHandle: null })).toBe(7)
  })
  it('is none where no run came yet, or nothing is known', () => {
    expect(countOf({ source: 'nova', sourceHandle: null })).toBeNull()
    expect(outputCountsOf(undefined)({ source: 'sim', sourceHandle: 'true' })).toBeNull()
  })
})

describe('the panel of a node', () => {
  it('shows them, and offers to try again when they could not be read', async () => {
    prosaServer.use(
      http.get('/api/flows/:id/statistics', () => refuse('unexpected'), { once: true }),
      http.get('/api/flows/:id/statistics', () => HttpResponse.json(statistics)),
    )
    renderPart(<NodeStatistics flowId={flowId} node={someNode('trigger', 'inicio')} />)
    await userEvent.click(await screen.findByText('Tentar de novo'))
    expect(await screen.findByText('2.527')).toBeTruthy()
    expect(screen.getByRole('region', { name: 'Estatísticas' })).toBeTruthy()
  })
})

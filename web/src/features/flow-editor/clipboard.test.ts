import { newNode, starterFlow } from '@prosa/contracts/flows/new-node'
import { expect, it } from 'vitest'
import { copiedNodes, pastedNodes } from './clipboard.ts'

const flow = starterFlow()

it('carries steps and the links between them into another flow, under new ids', () => {
  const pasted = pastedNodes(copiedNodes(flow, ['inicio', 'resposta']))
  expect(pasted?.nodes.map(({ type, data }) => ({ type, data }))).toEqual(
    flow.nodes.map(({ type, data }) => ({ type, data })),
  )
  const [trigger, message] = pasted?.nodes ?? []
  expect([trigger?.id, message?.id]).not.toContain('inicio')
  expect(pasted?.links).toMatchObject([{ source: trigger?.id, target: message?.id, sourceHandle: null }])
})

it('leaves links to what was not copied behind', () => {
  expect(pastedNodes(copiedNodes(flow, ['resposta']))?.links).toEqual([])
})

it('carries notes, under new ids, and takes what an older window copied without any', () => {
  const note = { id: 'n', text: 'Rever os preços em janeiro', position: { x: 90, y: 0 } }
  const pasted = pastedNodes(copiedNodes({ ...flow, notes: [note] }, ['n']))
  expect(pasted).toMatchObject({ nodes: [], notes: [{ text: note.text, position: { x: 120, y: 30 } }] })
  expect(pasted?.notes[0]?.id).not.toBe('n')
  const { nodes } = flow
  expect(pastedNodes(JSON.stringify({ format: 'prosa-flow-steps', nodes, links: [] }))?.notes).toEqual([])
})

it.each([
  ['any text', 'Olá'],
  ['other JSON', '{"nodes":[]}'],
  ['null', 'null'],
  [
    'a step of no known type',
    JSON.stringify({ format: 'prosa-flow-steps', nodes: [{ id: 'a', type: 'x' }], links: [] }),
  ],
  [
    'a field of another kind',
    JSON.stringify({
      format: 'prosa-flow-steps',
      nodes: [{ ...newNode('delay', 'a', { x: 0, y: 0 }), data: { delay: 5, description: '' } }],
      links: [],
    }),
  ],
  [
    'a note longer than the editor writes',
    JSON.stringify({
      format: 'prosa-flow-steps',
      nodes: [],
      links: [],
      notes: [{ id: 'n', text: 'x'.repeat(1001), position: { x: 0, y: 0 } }],
    }),
  ],
  ['no steps', JSON.stringify({ format: 'prosa-flow-steps', nodes: [], links: [] })],
])('takes nothing of %s', (_, text) => expect(pastedNodes(text)).toBeNull())

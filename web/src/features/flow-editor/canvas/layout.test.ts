import { outputsOf } from '@prosa/contracts/flows/flow-document'
import { newNodeData } from '@prosa/contracts/flows/new-node'
import { describe, expect, it } from 'vitest'
import { nodeWidth, targetOf } from '../state/node-graph.ts'
import { someFlow, someNode } from '../testing/flow-part.tsx'
import { laidOut } from './layout.ts'
import { sidesOf } from './to-canvas.ts'

const arranged = (flow: ReturnType<typeof someFlow>) => {
  const coordinates = laidOut(flow)
  const nodes = flow.nodes.map((node) => ({ ...node, position: coordinates.get(node.id) ?? node.position }))
  return { ...flow, nodes }
}

describe('Organizar', () => {
  const menu = someNode('menu', 'menu', {
    options: [...newNodeData.menu.options, { output: 'option_3', label: 'Horário', words: [] }],
  })
  const flows = {
    'a question and conditions': someFlow(
      [
        someNode('question', 'q'),
        someNode('condition', 'a'),
        someNode('message', 'late'),
        someNode('condition', 'b'),
        someNode('message', 'one'),
        someNode('message', 'two'),
        someNode('message', 'three'),
      ],
      'q.answer>a',
      'q.timeout>late',
      'a.true>one',
      'a.false>b',
      'b.true>two',
      'b.false>three',
    ),
    'a menu': someFlow(
      [menu, ...['w', 'x', 'y', 'z'].map((id) => someNode('message', id))],
      'menu.option_1>w',
      'menu.option_2>x',
      'menu.option_3>y',
      'menu.not_understood>z',
    ),
  }

  it.each(Object.entries(flows))('puts the targets of %s in the order of the outputs, from the left', (_, flow) => {
    const { nodes, links } = arranged(flow)
    for (const node of nodes) {
      const xs = outputsOf(node).flatMap((output) => {
        const target = nodes.find(({ id }) => id === targetOf({ ...flow, links }, node.id, output))
        return target ? target.position.x : []
      })
      expect(xs).toEqual(xs.toSorted((one, other) => one - other))
    }
  })

  it.each(Object.entries(flows))('puts each target of %s on the side where its output leaves', (_, flow) => {
    const document = arranged(flow)
    for (const node of document.nodes)
      for (const { output, side } of sidesOf(document).get(node.id) ?? []) {
        const target = document.nodes.find(({ id }) => id === targetOf(document, node.id, output))
        if (!target || side === 'bottom') continue
        const [x, from] = [target.position.x, node.position.x]
        expect(side === 'left' ? x < from : x >= from).toBe(true)
      }
  })

  it('leaves room for the name of an output beside its step', () => {
    const { nodes } = arranged(flows['a question and conditions'])
    for (const one of nodes)
      for (const other of nodes)
        if (one !== other && one.position.y === other.position.y)
          expect(Math.abs(one.position.x - other.position.x)).toBeGreaterThanOrEqual(nodeWidth + 90)
  })
})

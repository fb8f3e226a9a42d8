import { type FlowDocument, maximumFlowNodes } from '@prosa/contracts/flows/flow-document'
import { newNode, starterFlow } from '@prosa/contracts/flows/new-node'
import { describe, expect, it } from 'vitest'
import { type EditorState, editing, type FlowEdit, flowEdits, maximumPast, typingPauseMs } from './flow-edits.ts'
import { readingOrder } from './node-graph.ts'

const origin = { x: 0, y: 0 }
const after = (edits: readonly FlowEdit[], document: FlowDocument = starterFlow()): EditorState =>
  edits.reduce(flowEdits, editing(document))
const waysOf = ({ document }: EditorState) =>
  document.links.map(({ source, sourceHandle, target }) => `${source} ${sourceHandle ?? '-'} ${target}`)

const condition: FlowEdit = { type: 'add', node: newNode('condition', 'se', origin) }
const question: FlowEdit = { type: 'add', node: newNode('question', 'pergunta', origin) }
const typed = (message: string, atMs: number, field = 'message'): FlowEdit => ({
  type: 'change',
  nodeId: 'resposta',
  data: { message },
  typed: { field, atMs },
})
const messageIn = ({ document }: EditorState) =>
  document.nodes.flatMap((node) => (node.type === 'message' ? node.data.message : []))[0]

describe('links', () => {
  it('are added once, however often they are drawn', () => {
    const way = { source: 'resposta', sourceHandle: null, target: 'se' } as const
    const once = after([condition, { type: 'connect', way }])
    expect(waysOf(once)).toEqual(['inicio - resposta', 'resposta - se'])
    expect(flowEdits(once, { type: 'connect', way })).toBe(once)
  })

  it('leave an output once: a new one takes the place of the old', () => {
    const state = after([condition, { type: 'connect', way: { source: 'inicio', sourceHandle: null, target: 'se' } }])
    expect(waysOf(state)).toEqual(['inicio - se'])
  })

  it('of an option go with it, and of the others stay', () => {
    const menu = newNode('menu', 'menu', origin)
    if (menu.type !== 'menu') throw new Error('not a menu')
    const [first, second] = menu.data.options
    const state = after([
      { type: 'add', node: menu },
      { type: 'connect', way: { source: 'menu', sourceHandle: 'option_1', target: 'resposta' } },
      { type: 'connect', way: { source: 'menu', sourceHandle: 'option_2', target: 'resposta' } },
    ])
    const fewer = flowEdits(state, { type: 'change', nodeId: 'menu', data: { options: second ? [second] : [] } })
    expect(first?.output).toBe('option_1')
    expect(waysOf(fewer)).toEqual(['inicio - resposta', 'menu option_2 resposta'])
    expect(waysOf(flowEdits(fewer, { type: 'undo' }))).toEqual(waysOf(state))
  })

  it('leave each output of a condition', () => {
    const ways = (['true', 'false'] as const).map(
      (sourceHandle): FlowEdit => ({ type: 'connect', way: { source: 'se', sourceHandle, target: 'resposta' } }),
    )
    expect(waysOf(after([condition, ...ways]))).toEqual(['inicio - resposta', 'se true resposta', 'se false resposta'])
  })

  it.each([
    ['into a trigger', { source: 'resposta', sourceHandle: null, target: 'inicio' }],
    ['from an output that there is not', { source: 'resposta', sourceHandle: 'true', target: 'se' }],
    ['from a step that there is not', { source: 'nada', sourceHandle: null, target: 'se' }],
  ] as const)('are not drawn %s', (_, way) => {
    const before = after([condition])
    expect(flowEdits(before, { type: 'connect', way })).toBe(before)
  })

  it('go with their step', () => {
    const state = after([{ type: 'delete', nodeIds: ['resposta'], linkIds: [] }])
    expect(state.document.nodes.map(({ id }) => id)).toEqual(['inicio'])
    expect(waysOf(state)).toEqual([])
  })
})

describe('steps', () => {
  it('are put between an output and what it led to', () => {
    const node = newNode('delay', 'pausa', origin)
    const state = after([{ type: 'add', node, after: { source: 'inicio', sourceHandle: null } }])
    expect(waysOf(state)).toEqual(['inicio - pausa', 'pausa - resposta'])
    expect(state.selected).toEqual(['pausa'])
  })

  it('change places with the one before them, and keep what leads there', () => {
    const between: FlowEdit = {
      type: 'add',
      node: newNode('question', 'pergunta', { x: 15, y: 30 }),
      after: { source: 'inicio', sourceHandle: null },
    }
    const state = after([between, { type: 'move_up', nodeId: 'resposta' }])
    expect(waysOf(state)).toEqual(['inicio - resposta', 'resposta - pergunta'])
    expect(readingOrder(state.document).map(({ id }) => id)).toEqual(['inicio', 'resposta', 'pergunta'])
    expect(state.document.nodes.find(({ id }) => id === 'resposta')?.position).toEqual({ x: 15, y: 30 })
  })

  it('do not go before the trigger', () => {
    const before = after([])
    expect(flowEdits(before, { type: 'move_up', nodeId: 'resposta' })).toBe(before)
  })

  it('are read from the trigger along the first outputs, and last what no way leads to', () => {
    const state = after([
      condition,
      question,
      { type: 'add', node: newNode('label', 'solta', origin) },
      { type: 'connect', way: { source: 'inicio', sourceHandle: null, target: 'se' } },
      { type: 'connect', way: { source: 'se', sourceHandle: 'false', target: 'pergunta' } },
      { type: 'connect', way: { source: 'se', sourceHandle: 'true', target: 'resposta' } },
    ])
    expect(readingOrder(state.document).map(({ id }) => id)).toEqual(['inicio', 'se', 'resposta', 'pergunta', 'solta'])
  })

  it('are no more than a flow may hold', () => {
    const nodes = Array.from({ length: maximumFlowNodes }, (_, at) => newNode('message', `m${at}`, origin))
    const full = editing({ ...starterFlow(), nodes, links: [] })
    expect(flowEdits(full, condition)).toBe(full)
    expect(flowEdits(full, { type: 'paste', nodes: [newNode('delay', 'd', origin)], links: [], notes: [] })).toBe(full)
  })
})

describe('the way back', () => {
  it('undoes and does again, step by step', () => {
    const state = after([condition, { type: 'delete', nodeIds: ['resposta'], linkIds: [] }])
    const back = [{ type: 'undo' }, { type: 'undo' }] as const
    const undone = back.reduce<EditorState>(flowEdits, state)
    expect(undone.document).toEqual(starterFlow())
    expect(flowEdits(undone, { type: 'undo' })).toBe(undone)
    const again = ([{ type: 'redo' }, { type: 'redo' }] as const).reduce<EditorState>(flowEdits, undone)
    expect(again.document).toEqual(state.document)
  })

  it('takes what was typed in one go as one step', () => {
    const state = after([typed('O', 0), typed('Oi', 100), typed('Oi!', 200)])
    expect(messageIn(state)).toBe('Oi!')
    expect(messageIn(flowEdits(state, { type: 'undo' }))).toBe(messageIn(after([])))
  })

  it('begins another step after a pause, and in another field', () => {
    const paused = after([typed('Oi', 0), typed('Oi, tudo bem?', typingPauseMs + 1)])
    expect(messageIn(flowEdits(paused, { type: 'undo' }))).toBe('Oi')
    const elsewhere = after([typed('Oi', 0), typed('Oi, Ana', 10, 'other')])
    expect(messageIn(flowEdits(elsewhere, { type: 'undo' }))).toBe('Oi')
  })

  it('ends at a bound', () => {
    const many = Array.from({ length: maximumPast + 20 }, (_, at) => typed(`${at}`, at * (typingPauseMs + 1)))
    expect(after(many).past).toHaveLength(maximumPast)
  })

  it('forgets what would be done again once something else is done', () => {
    expect(after([condition, { type: 'undo' }, question]).future).toEqual([])
  })

  it('never leads behind what was read from the server', () => {
    const document = { ...starterFlow(), links: [] }
    const state = after([condition, { type: 'load', document }])
    expect(flowEdits(state, { type: 'undo' }).document).toBe(document)
  })

  it('leaves nothing selected that is no longer there', () => {
    expect(after([condition, { type: 'undo' }]).selected).toEqual([])
  })
})

describe('what changes nothing', () => {
  it.each([
    ['a step moved to where it is', { type: 'move', coordinates: new Map([['inicio', { x: 90, y: 90 }]]) }],
    ['a change of a step that is gone', { type: 'change', nodeId: 'nada', data: { message: 'x' } }],
    ['the deletion of nothing', { type: 'delete', nodeIds: ['nada'], linkIds: [] }],
    ['an output that leads nowhere', { type: 'disconnect', output: { source: 'resposta', sourceHandle: null } }],
  ] as const)('is nothing to undo: %s', (_, edit) => {
    const before = after([])
    expect(flowEdits(before, edit)).toBe(before)
  })

  it('is a selection that is as before, and what is pressed is added to it or taken out', () => {
    const chosen = after([{ type: 'choose', nodes: [{ id: 'inicio', selected: true }], links: [] }])
    expect(flowEdits(chosen, { type: 'select', nodeIds: ['inicio'] })).toBe(chosen)
    const other = flowEdits(chosen, { type: 'choose', nodes: [{ id: 'inicio', selected: false }], links: [] })
    expect(other.selected).toEqual([])
    expect(other.past).toEqual([])
  })
})

describe('the text of a condition', () => {
  const change = (data: object): FlowEdit => ({ type: 'change', nodeId: 'se', data })
  const textIn = ({ document }: EditorState) =>
    document.nodes.flatMap((node) => (node.type === 'condition' ? node.data.condition : []))[0]
  const yes = { test: { kind: 'yes', variable: 'quer' } }
  const open = { test: { kind: 'open' } }

  it('follows its rule until somebody writes another, and again once that is empty', () => {
    const followed = after([condition, change(yes)])
    expect(textIn(followed)).toBe('Se a resposta guardada em “quer” quer dizer sim')
    expect(textIn(flowEdits(followed, change(open)))).toBe('Se a empresa está aberta')
    const own = flowEdits(followed, change({ condition: 'Quer bolo?' }))
    expect(textIn(flowEdits(own, change(open)))).toBe('Quer bolo?')
    const emptied = flowEdits(own, change({ condition: '' }))
    expect(textIn(flowEdits(emptied, change(open)))).toBe('Se a empresa está aberta')
  })
})

import { maximumFlowNotes, maximumNoteLength } from '@prosa/contracts/flows/flow-limits'
import { newNode, starterFlow } from '@prosa/contracts/flows/new-node'
import { describe, expect, it } from 'vitest'
import { editing, type FlowEdit, flowEdits } from '../state/flow-edits.ts'
import { someFlow, someNode } from '../testing/flow-part.tsx'
import { notesOf } from './flow-notes.ts'
import { newNote, notesAfter } from './note-coordinates.ts'

const note = { id: 'n', text: 'Rever os preços em janeiro', position: { x: 450, y: 90 } }
const withNote = editing({ ...starterFlow(), notes: [note] })
const after = (...edits: FlowEdit[]) => edits.reduce(flowEdits, withNote)

describe('a note', () => {
  it('is added, written, moved, copied and deleted, each undone by itself', () => {
    const steps: FlowEdit[] = [
      { type: 'add_note', note: { ...note, id: 'm', text: '' } },
      { type: 'change_note', noteId: 'm', text: 'O', atMs: 1000 },
      { type: 'change_note', noteId: 'm', text: 'Oi', atMs: 1100 },
      { type: 'move', coordinates: new Map([['m', { x: 15, y: 30 }]]) },
      { type: 'paste', nodes: [], links: [], notes: [{ ...note, id: 'p' }] },
      { type: 'delete', nodeIds: ['m', 'n'], linkIds: [] },
    ]
    const states = steps.map((_, at) => after(...steps.slice(0, at + 1)))
    expect(notesOf(states[3]?.document ?? starterFlow())).toEqual([
      note,
      { id: 'm', text: 'Oi', position: { x: 15, y: 30 } },
    ])
    expect(states[4]?.selected).toEqual(['p'])
    expect(states[5]?.document.notes).toEqual([{ ...note, id: 'p' }])
    // The second key joined the first.
    const undone = after(...steps, ...Array.from({ length: 5 }, () => ({ type: 'undo' }) as const))
    expect(undone.document).toEqual(withNote.document)
  })

  it('leaves no trace in a document whose last note is deleted', () => {
    expect(after({ type: 'delete', nodeIds: ['n'], linkIds: [] }).document).toEqual(starterFlow())
    expect('notes' in after({ type: 'delete', nodeIds: ['n'], linkIds: [] }).document).toBe(false)
  })

  it('stays selected through changes, and is not while it is gone', () => {
    const selected = after(
      { type: 'select', nodeIds: ['n', 'inicio'] },
      { type: 'delete', nodeIds: ['n'], linkIds: [] },
    )
    expect(selected.selected).toEqual(['inicio'])
  })

  it('is refused beyond what a flow holds', () => {
    const notes = Array.from({ length: maximumFlowNotes }, (_, at) => ({ ...note, id: `n${at}` }))
    const full = editing({ ...starterFlow(), notes })
    expect(flowEdits(full, { type: 'add_note', note })).toBe(full)
    expect(flowEdits(full, { type: 'paste', nodes: [], links: [], notes: [note] })).toBe(full)
  })

  it('comes beside its step, where nothing is yet', () => {
    const flow = someFlow([someNode('trigger', 'a'), { ...newNode('message', 'b', { x: 300, y: 30 }) }])
    const first = newNote(flow, { beside: 'a' })
    expect(first.position).toEqual({ x: 300, y: 150 })
    const second = newNote({ ...flow, notes: [first] }, { beside: 'a' })
    expect(second.position.y).toBeGreaterThan(first.position.y + 45)
    expect(newNote(someFlow([])).position).toEqual({ x: 300, y: 0 })
  })

  it('goes with its step when the drawing is organised, and never below a step', () => {
    const flow = { ...someFlow([someNode('trigger', 'a'), newNode('delay', 'b', { x: 0, y: 600 })]), notes: [note] }
    const beside = notesAfter(flow, new Map([['a', { x: 150, y: 300 }]]))
    expect(beside.get('n')).toEqual({ x: 600, y: 390 })
    const coordinates = new Map([
      ['a', { x: 0, y: 0 }],
      ['b', { x: 450, y: 60 }],
    ])
    const { x, y } = notesAfter(flow, coordinates).get('n') ?? { x: 0, y: 0 }
    expect(x >= 450 + 240 || y >= 60 + 105).toBe(true)
  })

  it('finds coordinates for a hundred notes of the greatest length at one place', () => {
    const long = { ...note, text: '\n'.repeat(maximumNoteLength), position: { x: 0, y: 0 } }
    const notes = Array.from({ length: maximumFlowNotes }, (_, at) => ({ ...long, id: `n${at}` }))
    const placed = notesAfter({ ...starterFlow(), notes }, new Map([['inicio', { x: 0, y: 0 }]]))
    expect(new Set(Array.from(placed.values(), ({ x, y }) => `${x} ${y}`)).size).toBe(maximumFlowNotes)
  })
})

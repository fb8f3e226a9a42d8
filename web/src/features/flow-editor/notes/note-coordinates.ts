import type { FlowDocument, FlowNote } from '@prosa/contracts/flows/flow-document'
import { type Box, meet } from '../canvas/route.ts'
import { newId } from '../state/new-node.ts'
import { type Coordinates, gridPx, heightOf, nodeWidth, onGrid } from '../state/node-graph.ts'
import { notesOf } from './flow-notes.ts'

const lineHeight = 20
const charactersPerLine = 30

/** Approximate, in px. */
const noteBox = ({ position, text }: Pick<FlowNote, 'position' | 'text'>): Box => {
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / charactersPerLine)), 0)
  return { ...position, width: nodeWidth, height: 45 + lineHeight * lines }
}

const boxesOf = (document: FlowDocument): Box[] => [
  ...document.nodes.map((node) => ({ ...node.position, width: nodeWidth, height: heightOf(node) })),
  ...notesOf(document).map(noteBox),
]

/** The first free coordinates from here downwards. */
const freeFrom = (from: Coordinates, note: Pick<FlowNote, 'text'>, taken: readonly Box[]): Coordinates => {
  let position = onGrid(from)
  for (let met = true; met; ) {
    const box = noteBox({ ...note, position })
    const other = taken.find((each) => meet(box, each))
    met = other !== undefined
    if (other) position = { x: position.x, y: Math.ceil((other.y + other.height + gridPx) / gridPx) * gridPx }
  }
  return position
}

const besidePx = nodeWidth + 4 * gridPx

/** At given coordinates, else right of a step, else right of the drawing. */
export const newNote = (
  document: FlowDocument,
  { at, beside }: { at?: Coordinates | undefined; beside?: string | undefined } = {},
): FlowNote => {
  const text = ''
  const id = newId()
  if (at) return { id, text, position: onGrid(at) }
  const node = document.nodes.find((each) => each.id === beside)
  const boxes = boxesOf(document)
  const right = Math.max(0, ...boxes.map(({ x }) => x))
  const top = Math.min(...boxes.map(({ y }) => y), Number.MAX_SAFE_INTEGER)
  const from = node
    ? { x: node.position.x + besidePx, y: node.position.y }
    : { x: right + besidePx, y: boxes.length === 0 ? 0 : top }
  return { id, text, position: freeFrom(from, { text }, boxes) }
}

const squared = (one: Coordinates, other: Coordinates) => (one.x - other.x) ** 2 + (one.y - other.y) ** 2

/** Notes stay as far from the nearest step as they were, or go right of the drawing where something else is now. */
export const notesAfter = (
  document: FlowDocument,
  moved: ReadonlyMap<string, Coordinates>,
): Map<string, Coordinates> => {
  const nodes = document.nodes.map((node) => ({ ...node, position: moved.get(node.id) ?? node.position }))
  const taken = boxesOf({ ...document, nodes, notes: [] })
  const right = Math.max(0, ...taken.map(({ x }) => x)) + besidePx
  const coordinates = new Map<string, Coordinates>()
  for (const note of notesOf(document)) {
    const nearest = document.nodes.reduce<FlowDocument['nodes'][number] | undefined>(
      (near, node) =>
        near && squared(near.position, note.position) <= squared(node.position, note.position) ? near : node,
      undefined,
    )
    const to = nearest && moved.get(nearest.id)
    const wanted = to
      ? onGrid({
          x: to.x + note.position.x - nearest.position.x,
          y: to.y + note.position.y - nearest.position.y,
        })
      : note.position
    const isFree = !taken.some((box) => meet(box, noteBox({ ...note, position: wanted })))
    const position = isFree ? wanted : freeFrom({ x: right, y: wanted.y }, note, taken)
    taken.push(noteBox({ ...note, position }))
    coordinates.set(note.id, position)
  }
  return coordinates
}

import {
  type FlowDocument,
  type FlowLink,
  type FlowNode,
  type FlowNote,
  type FlowSettings,
  type FlowTest,
  maximumFlowLinks,
  maximumFlowNodes,
  maximumFlowNotes,
  outputsOf,
} from '@prosa/contracts/flows/flow-document'
import { newNodeData } from '@prosa/contracts/flows/new-node'
import { type FlowNames, testWords } from '../flow-words.ts'
import { isFullOfNotes, notesOf, withNotes } from '../notes/flow-notes.ts'
import { type Coordinates, canLink, isOutput, linksWith, mainOutputOf, movedUp, type Way } from './node-graph.ts'

export interface EditorState {
  document: FlowDocument
  /** Nodes and notes. */
  selected: readonly string[]
  selectedLinks: readonly string[]
  past: readonly FlowDocument[]
  future: readonly FlowDocument[]
  /** The field of the latest edit; further typing there is undone together. */
  typing: { about: string; atMs: number } | null
}

interface Typed {
  field: string
  atMs: number
}

interface Chosen {
  id: string
  selected: boolean
}

export type FlowEdit =
  /** `after`: the output to insert at; its previous target follows the new node. */
  | { type: 'add'; node: FlowNode; after?: Pick<Way, 'source' | 'sourceHandle'> | undefined }
  | { type: 'add_note'; note: FlowNote }
  | { type: 'change_note'; noteId: string; text: string; atMs: number }
  | { type: 'move'; coordinates: ReadonlyMap<string, Coordinates>; typed?: Typed | undefined }
  | { type: 'move_up'; nodeId: string }
  /** `typed`: the field and the time in ms; undefined for a change that is undone by itself. */
  | { type: 'change'; nodeId: string; data: Partial<FlowNode['data']>; typed?: Typed | undefined }
  | { type: 'set_settings'; settings: FlowSettings }
  | { type: 'connect'; way: Way }
  | { type: 'disconnect'; output: Pick<Way, 'source' | 'sourceHandle'> }
  /** `nodeIds`: of notes too. */
  | { type: 'delete'; nodeIds: readonly string[]; linkIds: readonly string[] }
  | { type: 'paste'; nodes: readonly FlowNode[]; links: readonly FlowLink[]; notes: readonly FlowNote[] }
  | { type: 'select'; nodeIds: readonly string[]; linkIds?: readonly string[] }
  | { type: 'choose'; nodes: readonly Chosen[]; links: readonly Chosen[] }
  | { type: 'undo' }
  | { type: 'redo' }
  /** Replaces the document and clears the undo history. */
  | { type: 'load'; document: FlowDocument }

export const maximumPast = 100
/** A longer pause in typing begins a new undo step. */
export const typingPauseMs = 1000

export const editing = (document: FlowDocument): EditorState => ({
  document,
  selected: [],
  selectedLinks: [],
  past: [],
  future: [],
  typing: null,
})

const edited = (state: EditorState, document: FlowDocument, selection: Partial<EditorState> = {}): EditorState => ({
  ...state,
  document,
  past: [...state.past, state.document].slice(-maximumPast),
  future: [],
  typing: null,
  ...selection,
})

/** Merges with recent typing in the same field. */
const editedBy = (state: EditorState, document: FlowDocument, typed: Typed | undefined): EditorState => {
  if (!typed) return edited(state, document)
  const typing = { about: typed.field, atMs: typed.atMs }
  const goesOn = state.typing?.about === typing.about && typing.atMs - state.typing.atMs < typingPauseMs
  return goesOn ? { ...state, document, typing } : { ...edited(state, document), typing }
}

const onlyKnown = (state: EditorState): EditorState => {
  const nodes = new Set([...state.document.nodes, ...notesOf(state.document)].map(({ id }) => id))
  const links = new Set(state.document.links.map(({ id }) => id))
  return {
    ...state,
    selected: state.selected.filter((id) => nodes.has(id)),
    selectedLinks: state.selectedLinks.filter((id) => links.has(id)),
  }
}

const noNames: FlowNames = {
  label: () => undefined,
  flow: () => undefined,
  connection: () => undefined,
  field: () => undefined,
}
const maxConditionLength = 300

const conditionTextOf = (test: FlowTest): string =>
  test.kind === 'label' ? 'Se o contato tem a etiqueta' : `Se ${testWords(test, noNames)}`.slice(0, maxConditionLength)

/** The text of a condition follows its rule until somebody writes another. */
const withConditionText = (before: FlowNode, after: FlowNode): FlowNode => {
  if (before.type !== 'condition' || after.type !== 'condition' || before.data.test === after.data.test) return after
  const { condition } = after.data
  const isOwn =
    condition !== '' && condition !== newNodeData.condition.condition && condition !== conditionTextOf(before.data.test)
  return isOwn ? after : { ...after, data: { ...after.data, condition: conditionTextOf(after.data.test) } }
}

type Handlers = { [T in FlowEdit['type']]: (state: EditorState, edit: Extract<FlowEdit, { type: T }>) => EditorState }

const handlers: Handlers = {
  add: (state, { node, after }) => {
    const { document } = state
    if (document.nodes.length >= maximumFlowNodes || document.nodes.some(({ id }) => id === node.id)) return state
    const grown = { ...document, nodes: [...document.nodes, node] }
    const links = after ? linkedIn(grown, node, after) : document.links
    return edited(state, { ...grown, links }, { selected: [node.id], selectedLinks: [] })
  },
  add_note: (state, { note }) => {
    const { document } = state
    if (isFullOfNotes(document)) return state
    const grown = withNotes(document, [...notesOf(document), note])
    return edited(state, grown, { selected: [note.id], selectedLinks: [] })
  },
  change_note: (state, { noteId, text, atMs }) => {
    const { document } = state
    const notes = notesOf(document)
    if (!notes.some(({ id }) => id === noteId)) return state
    const changed = notes.map((note) => (note.id === noteId ? { ...note, text } : note))
    return editedBy(state, withNotes(document, changed), { field: `${noteId} text`, atMs })
  },
  move: (state, { coordinates, typed }) => {
    let hasMoved = false
    const moved = <T extends FlowNode | FlowNote>(one: T): T => {
      const position = coordinates.get(one.id)
      if (!position || (position.x === one.position.x && position.y === one.position.y)) return one
      hasMoved = true
      return { ...one, position }
    }
    const { document } = state
    const after = withNotes({ ...document, nodes: document.nodes.map(moved) }, notesOf(document).map(moved))
    return hasMoved ? editedBy(state, after, typed) : state
  },
  move_up: (state, { nodeId }) => {
    const document = movedUp(state.document, nodeId)
    return document ? edited(state, document, { selectedLinks: [] }) : state
  },
  change: (state, { nodeId, data, typed }) => {
    const { document } = state
    if (!document.nodes.some(({ id }) => id === nodeId)) return state
    const change = (node: FlowNode) => withConditionText(node, { ...node, data: { ...node.data, ...data } } as FlowNode)
    const nodes = document.nodes.map((one) => (one.id === nodeId ? change(one) : one))
    const outputs = nodes.flatMap((node) => (node.id === nodeId ? outputsOf(node) : []))
    // A deleted option takes its link along.
    const links = document.links.filter(
      ({ source, sourceHandle }) => source !== nodeId || outputs.includes(sourceHandle),
    )
    const changed = { ...document, nodes, links: links.length === document.links.length ? document.links : links }
    return onlyKnown(editedBy(state, changed, typed && { ...typed, field: `${nodeId} ${typed.field}` }))
  },
  set_settings: (state, { settings }) => edited(state, { ...state.document, settings }),
  connect: (state, { way }) => {
    const { document } = state
    const isThere = document.links.some(
      (link) => isOutput(link, way.source, way.sourceHandle) && link.target === way.target,
    )
    if (isThere || !canLink(document, way)) return state
    const links = linksWith(document.links, way)
    return links.length > maximumFlowLinks ? state : edited(state, { ...document, links })
  },
  disconnect: (state, { output }) => {
    const links = state.document.links.filter((link) => !isOutput(link, output.source, output.sourceHandle))
    if (links.length === state.document.links.length) return state
    return onlyKnown(edited(state, { ...state.document, links }))
  },
  delete: (state, { nodeIds, linkIds }) => {
    const { document } = state
    const [gone, goneLinks] = [new Set(nodeIds), new Set(linkIds)]
    const nodes = document.nodes.filter(({ id }) => !gone.has(id))
    const links = document.links.filter(
      ({ id, source, target }) => !goneLinks.has(id) && !gone.has(source) && !gone.has(target),
    )
    const notes = notesOf(document).filter(({ id }) => !gone.has(id))
    const isSame =
      nodes.length === document.nodes.length &&
      links.length === document.links.length &&
      notes.length === notesOf(document).length
    return isSame ? state : onlyKnown(edited(state, withNotes({ ...document, nodes, links }, notes)))
  },
  paste: (state, { nodes, links, notes }) => {
    const { document } = state
    const allNotes = [...notesOf(document), ...notes]
    const grown = withNotes(
      { ...document, nodes: [...document.nodes, ...nodes], links: [...document.links, ...links] },
      allNotes,
    )
    const isTooLarge =
      grown.nodes.length > maximumFlowNodes ||
      grown.links.length > maximumFlowLinks ||
      allNotes.length > maximumFlowNotes
    if (nodes.length + notes.length === 0 || isTooLarge) return state
    return edited(state, grown, { selected: [...nodes, ...notes].map(({ id }) => id), selectedLinks: [] })
  },
  select: (state, { nodeIds, linkIds = [] }) => {
    if (same(state.selected, nodeIds) && same(state.selectedLinks, linkIds)) return state
    return { ...state, selected: nodeIds, selectedLinks: linkIds, typing: null }
  },
  choose: (state, { nodes, links }) => ({
    ...state,
    selected: chosenAfter(state.selected, nodes),
    selectedLinks: chosenAfter(state.selectedLinks, links),
    typing: null,
  }),
  undo: (state) => {
    const document = state.past.at(-1)
    if (!document) return state
    const future = [state.document, ...state.future]
    return onlyKnown({ ...state, document, past: state.past.slice(0, -1), future, typing: null })
  },
  redo: (state) => {
    const [document, ...future] = state.future
    if (!document) return state
    return onlyKnown({ ...state, document, past: [...state.past, state.document], future, typing: null })
  },
  load: (_, { document }) => editing(document),
}

const same = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((id, at) => id === other[at])

const chosenAfter = (before: readonly string[], changes: readonly Chosen[]): readonly string[] => {
  if (changes.length === 0) return before
  const after = new Set(before)
  for (const { id, selected } of changes) {
    if (selected) after.add(id)
    else after.delete(id)
  }
  return [...after]
}

/** Inserts the node between an output and its previous target. */
const linkedIn = (document: FlowDocument, node: FlowNode, after: Pick<Way, 'source' | 'sourceHandle'>): FlowLink[] => {
  const way = { ...after, target: node.id }
  if (!canLink(document, way)) return document.links
  const next = document.links.find((link) => isOutput(link, after.source, after.sourceHandle))
  const links = linksWith(document.links, way)
  const output = mainOutputOf(node)
  if (!next || output === undefined) return links
  return linksWith(links, { source: node.id, sourceHandle: output, target: next.target })
}

/** Returns the same object if nothing changes. */
export const flowEdits = (state: EditorState, edit: FlowEdit): EditorState =>
  (handlers[edit.type] as (state: EditorState, edit: FlowEdit) => EditorState)(state, edit)

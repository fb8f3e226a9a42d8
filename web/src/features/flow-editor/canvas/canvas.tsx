import type { FlowDocument, FlowNodeType, FlowOutput } from '@prosa/contracts/flows/flow-document'
import {
  type Dispatch,
  type DragEvent,
  type Ref,
  type RefObject,
  useCallback,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import ReactFlow, {
  applyNodeChanges,
  type Connection,
  type EdgeChange,
  getNodesBounds,
  type Node,
  type NodeChange,
  type OnConnectStartParams,
  ReactFlowProvider,
  useReactFlow,
} from 'reactflow'
import 'reactflow/dist/base.css'
import { isNodeType, type Named, nodeDragType } from '../node-words.ts'
import { noteElement, notesOf } from '../notes/flow-notes.ts'
import { canvasNotes, NoteBox } from '../notes/note-box.tsx'
import type { FlowEdit } from '../state/flow-edits.ts'
import { type Coordinates, canLink, gridPx, type Way } from '../state/node-graph.ts'
import type { ProblemsByNode } from '../state/use-problems.ts'
import { StepMenu } from '../step-menu.tsx'
import { useIsNarrow } from '../use-is-narrow.ts'
import './canvas.css'
import { CanvasControls, CanvasGround } from './canvas-controls.tsx'
import { focusedInView, fromTheTop, moveIntoView, shownBox, useFirstFit } from './into-view.ts'
import { NodeBox } from './node-box.tsx'
import { type Box, meet } from './route.ts'
import { Boxes, RoutedEdge } from './routed-edge.tsx'
import { type CountOf, canvasEdges, canvasNodes, sidesOf } from './to-canvas.ts'

export interface CanvasHandle {
  zoomIn: () => void
  zoomOut: () => void
  fit: () => void
  toggleLock: () => void
  show: (nodeId: string) => void
  /** Brings a node or note into view, unless it is; `at` where it is not drawn yet. */
  reveal: (nodeId: string, at?: Coordinates) => void
}

export interface CanvasProps {
  document: FlowDocument
  selected: readonly string[]
  selectedLinks: readonly string[]
  problems: ProblemsByNode
  currentNodeId: string | null
  found: ReadonlySet<string>
  named: Named
  countOf: CountOf
  edit: Dispatch<FlowEdit>
  onAddAt: (
    type: FlowNodeType | typeof noteElement,
    at: Coordinates,
    after?: Pick<Way, 'source' | 'sourceHandle'>,
  ) => void
  onOpen: (byKeys: boolean) => void
  handle: Ref<CanvasHandle>
  /** To look at: zoom and moving the view alone. */
  isReadOnly?: boolean
}

/** Specification, 9. */
const zoom = { least: 0.5, max: 2 }
/** A phone could not show a drawing of four steps beside each other. */
const leastZoomOnPhone = 0.2
const nodeTypes = { step: NodeBox, note: NoteBox }
const edgeTypes = { routed: RoutedEdge }
type Sides = ReturnType<typeof sidesOf>
const snapGrid: [number, number] = [gridPx, gridPx]
const fitOptions = { padding: 0.2, maxZoom: 1, duration: 0 }
const multiSelectionKeys = ['Control', 'Meta']
/** Nodes of the document; one that is dragged has its current coordinates. */
const useDrawnNodes = ({ document, selected, problems, currentNodeId, found, named }: CanvasProps, sides: Sides) => {
  const drawn = useMemo(
    () => ({ document, sides, notes: notesOf(document), selected, problems, currentNodeId, found, named }),
    [document, sides, selected, problems, currentNodeId, found, named],
  )
  const [shown, setShown] = useState(() => ({
    drawn,
    nodes: canvasNodes(drawn, []),
    notes: canvasNotes(drawn.notes, selected, []),
  }))
  if (shown.drawn !== drawn) {
    const notes = canvasNotes(drawn.notes, selected, shown.notes)
    setShown({ drawn, nodes: canvasNodes(drawn, shown.nodes), notes })
  }
  const draw = useCallback(
    (changes: NodeChange[]) =>
      setShown((known) => ({
        ...known,
        nodes: applyNodeChanges(changes, known.nodes),
        notes: applyNodeChanges(changes, known.notes),
      })),
    [],
  )
  const nodes = useMemo(() => [...shown.nodes, ...shown.notes], [shown.nodes, shown.notes])
  return { nodes, draw }
}

/** Beyond, lines are not led around steps: it would take a second at each move. */
const maxRoutedLinks = 500

/** Of the steps, and of notes that do not lie on one. */
const boxesOf = (nodes: readonly Node[]): Box[] => {
  const of = (wanted: string) =>
    nodes.flatMap(({ type, position: { x, y }, width, height }) =>
      type === wanted && width && height ? { x, y, width, height } : [],
    )
  const steps = of('step')
  return [...steps, ...of('note').filter((note) => !steps.some((step) => meet(note, step)))]
}

/** While a step is dragged, lines are led around where it was. */
const useBoxes = (nodes: readonly Node[], links: number): readonly Box[] => {
  const [boxes, setBoxes] = useState<readonly Box[]>([])
  if (links > maxRoutedLinks || nodes.some(({ dragging }) => dragging)) return boxes
  const current = boxesOf(nodes)
  if (JSON.stringify(current) !== JSON.stringify(boxes)) setBoxes(current)
  return boxes
}

const useDrawnEdges = ({ document, selectedLinks, countOf }: CanvasProps, sides: Sides) => {
  const drawn = useMemo(() => ({ document, sides, selectedLinks, countOf }), [document, sides, selectedLinks, countOf])
  const [shown, setShown] = useState(() => ({ drawn, edges: canvasEdges(document, selectedLinks, countOf, sides, []) }))
  if (shown.drawn !== drawn)
    setShown({ drawn, edges: canvasEdges(document, selectedLinks, countOf, sides, shown.edges) })
  return shown.edges
}

const outputOf = (handle: string | null | undefined): FlowOutput => (handle ?? null) as FlowOutput

const wayOf = ({ source, sourceHandle, target }: Connection) =>
  source !== null && target !== null ? { source, sourceHandle: outputOf(sourceHandle), target } : null

const coordinatesOf = (nodes: readonly Node[]) => new Map(nodes.map(({ id, position }) => [id, position]))

const selectionsIn = <C extends NodeChange | EdgeChange>(changes: readonly C[]) =>
  changes.flatMap((change) => (change.type === 'select' ? { id: change.id, selected: change.selected } : []))

const useControls = (handle: Ref<CanvasHandle>, pane: RefObject<HTMLDivElement | null>) => {
  const [isLocked, setLocked] = useState(false)
  const flow = useReactFlow()
  const controls = useMemo(
    (): CanvasHandle => ({
      zoomIn: () => flow.zoomIn(),
      zoomOut: () => flow.zoomOut(),
      fit: () => {
        flow.fitView(fitOptions)
        const view = flow.getViewport()
        if (pane.current) flow.setViewport(fromTheTop(view, getNodesBounds(flow.getNodes()), pane.current))
      },
      toggleLock: () => setLocked((locked) => !locked),
      show: (nodeId: string) => {
        const node = flow.getNode(nodeId)
        if (!node) return
        const [x, y] = [node.position.x + (node.width ?? 240) / 2, node.position.y + (node.height ?? 90) / 2]
        flow.setCenter(x, y, { zoom: Math.max(flow.getZoom(), 0.75) })
      },
      reveal: (nodeId: string, at?: Coordinates) => {
        const node = flow.getNode(nodeId)
        const position = at ?? node?.position
        if (!pane.current || !position) return
        const view = flow.getViewport()
        const [byX, byY] = moveIntoView(shownBox(position, node?.height), view, pane.current)
        if (byX !== 0 || byY !== 0) flow.setViewport({ ...view, x: view.x + byX, y: view.y + byY })
      },
    }),
    [flow, pane],
  )
  useImperativeHandle(handle, () => controls, [controls])
  return { isLocked, controls, coordinatesAt: flow.screenToFlowPosition }
}

const useCanvasEdits = (
  { document, edit }: Pick<CanvasProps, 'document' | 'edit'>,
  draw: (changes: NodeChange[]) => void,
) => {
  const onNodesChange = useCallback(
    (changes: NodeChange[]) => {
      const chosen = selectionsIn(changes)
      if (chosen.length > 0) edit({ type: 'choose', nodes: chosen, links: [] })
      const others = changes.filter(({ type }) => type === 'position' || type === 'dimensions')
      if (others.length > 0) draw(others)
    },
    [edit, draw],
  )
  const onEdgesChange = useCallback(
    (changes: EdgeChange[]) => {
      const chosen = selectionsIn(changes)
      if (chosen.length > 0) edit({ type: 'choose', nodes: [], links: chosen })
    },
    [edit],
  )
  const onConnect = useCallback(
    (connection: Connection) => {
      const way = wayOf(connection)
      if (way) edit({ type: 'connect', way })
    },
    [edit],
  )
  const isValidConnection = useCallback(
    (connection: Connection) => {
      const way = wayOf(connection)
      return way !== null && canLink(document, way)
    },
    [document],
  )
  const onNodeDragStop = useCallback(
    (_: unknown, node: Node, moved: Node[]) =>
      edit({ type: 'move', coordinates: coordinatesOf(moved.length > 0 ? moved : [node]) }),
    [edit],
  )
  const onSelectionDragStop = useCallback(
    (_: unknown, moved: Node[]) => edit({ type: 'move', coordinates: coordinatesOf(moved) }),
    [edit],
  )
  return { onNodesChange, onEdgesChange, onConnect, isValidConnection, onNodeDragStop, onSelectionDragStop }
}

interface DroppedLink extends Coordinates {
  after: Pick<Way, 'source' | 'sourceHandle'>
}

/** A link that ends on the empty canvas asks for the step that it leads to. */
const useDroppedLinks = () => {
  const from = useRef<DroppedLink['after'] | null>(null)
  const [at, setAt] = useState<DroppedLink | null>(null)
  const onStart = useCallback((_: unknown, { nodeId, handleId, handleType }: OnConnectStartParams) => {
    from.current =
      nodeId !== null && handleType === 'source' ? { source: nodeId, sourceHandle: outputOf(handleId) } : null
  }, [])
  const onEnd = useCallback((event: MouseEvent | TouchEvent) => {
    const point = 'changedTouches' in event ? event.changedTouches[0] : event
    const after = from.current
    from.current = null
    if (!after || !point) return
    // A finger's target is where it began.
    const over = document.elementFromPoint(point.clientX, point.clientY)
    if (over?.closest('.react-flow__pane, .react-flow__node-note')) setAt({ x: point.clientX, y: point.clientY, after })
  }, [])
  return { at, onStart, onEnd, close: () => setAt(null) }
}

const Drawing = (props: CanvasProps) => {
  const { onAddAt, onOpen, handle, isReadOnly = false } = props
  const { document: flow } = props
  const sides = useMemo(() => sidesOf(flow), [flow])
  const { nodes, draw } = useDrawnNodes(props, sides)
  const edges = useDrawnEdges(props, sides)
  const boxes = useBoxes(nodes, edges.length)
  const pane = useRef<HTMLDivElement>(null)
  const { isLocked, controls, coordinatesAt } = useControls(handle, pane)
  const dropped = useDroppedLinks()
  const isNarrow = useIsNarrow()
  useFirstFit(controls.fit)
  const onFocus = focusedInView(pane, controls.reveal)
  const edits = useCanvasEdits(props, draw)
  const onDrop = (event: DragEvent) => {
    const type = event.dataTransfer.getData(nodeDragType)
    if (!isNodeType(type) && type !== noteElement) return
    event.preventDefault()
    onAddAt(type, coordinatesAt({ x: event.clientX, y: event.clientY }))
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is dropped here can be added by the sidebar's buttons and by keys
    <div
      ref={pane}
      className="flow-canvas"
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes(nodeDragType)) event.preventDefault()
      }}
      onDrop={onDrop}
      onFocus={onFocus}
    >
      <Boxes value={boxes}>
        <ReactFlow
          {...edits}
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          onConnectStart={dropped.onStart}
          onConnectEnd={dropped.onEnd}
          onNodeClick={(event) => onOpen(event.detail === 0)}
          minZoom={isNarrow ? leastZoomOnPhone : zoom.least}
          maxZoom={zoom.max}
          snapToGrid
          snapGrid={snapGrid}
          nodesDraggable={!isLocked && !isReadOnly}
          nodesConnectable={!isLocked && !isReadOnly}
          nodesFocusable={false}
          edgesFocusable={false}
          selectNodesOnDrag={false}
          multiSelectionKeyCode={multiSelectionKeys}
          deleteKeyCode={null}
          disableKeyboardA11y
          elevateNodesOnSelect={false}
        >
          <CanvasGround />
          <CanvasControls
            isLocked={isLocked}
            onZoomIn={controls.zoomIn}
            onZoomOut={controls.zoomOut}
            onFit={controls.fit}
            onLock={isReadOnly ? null : controls.toggleLock}
          />
        </ReactFlow>
      </Boxes>
      {dropped.at && (
        <StepMenu
          anchor={dropped.at}
          onChoose={(type) => {
            if (dropped.at) onAddAt(type, coordinatesAt(dropped.at), dropped.at.after)
            dropped.close()
          }}
          onClose={dropped.close}
        />
      )}
    </div>
  )
}

export const Canvas = (props: CanvasProps) => (
  <ReactFlowProvider>
    <Drawing {...props} />
  </ReactFlowProvider>
)

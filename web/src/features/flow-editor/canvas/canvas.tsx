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
  Background,
  BackgroundVariant,
  type Connection,
  type EdgeChange,
  MiniMap,
  type Node,
  type NodeChange,
  type OnConnectStartParams,
  ReactFlowProvider,
  useReactFlow,
  type Viewport,
} from 'reactflow'
import 'reactflow/dist/base.css'
import { isNodeType, type Named, nodeDragType } from '../node-words.ts'
import type { FlowEdit } from '../state/flow-edits.ts'
import { type Coordinates, canLink, gridPx, type Way } from '../state/node-graph.ts'
import type { ProblemsByNode } from '../state/use-problems.ts'
import { StepMenu } from '../step-menu.tsx'
import './canvas.css'
import { CanvasControls } from './canvas-controls.tsx'
import { NodeBox } from './node-box.tsx'
import { type CanvasNode, type CanvasNodeData, type CountOf, canvasEdges, canvasNodes } from './to-canvas.ts'

export interface CanvasHandle {
  zoomIn: () => void
  zoomOut: () => void
  fit: () => void
  toggleLock: () => void
  show: (nodeId: string) => void
  /** Brings a node of these coordinates into view, unless it is. */
  reveal: (at: Coordinates) => void
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
  onAddAt: (type: FlowNodeType, at: Coordinates, after?: Pick<Way, 'source' | 'sourceHandle'>) => void
  onOpen: (byKeys: boolean) => void
  handle: Ref<CanvasHandle>
  /** To look at: zoom and moving the view alone. */
  isReadOnly?: boolean
}

/** Specification, 9. */
const zoom = { least: 0.5, max: 2 }
const nodeTypes = { step: NodeBox }
const snapGrid: [number, number] = [gridPx, gridPx]
const fitOptions = { padding: 0.2, maxZoom: 1, duration: 0 }
const minimapStyle = { width: 200, height: 150 }
const multiSelectionKeys = ['Control', 'Meta']
/** Nodes of the document; one that is dragged has its current coordinates. */
const useDrawnNodes = ({ document, selected, problems, currentNodeId, found, named }: CanvasProps) => {
  const drawn = useMemo(
    () => ({ nodes: document.nodes, selected, problems, currentNodeId, found, named }),
    [document.nodes, selected, problems, currentNodeId, found, named],
  )
  const [shown, setShown] = useState(() => ({ drawn, nodes: canvasNodes(drawn, []) }))
  if (shown.drawn !== drawn) setShown({ drawn, nodes: canvasNodes(drawn, shown.nodes) })
  const draw = useCallback(
    (changes: NodeChange[]) =>
      setShown((known) => ({ ...known, nodes: applyNodeChanges<CanvasNodeData>(changes, known.nodes) })),
    [],
  )
  return { nodes: shown.nodes, draw }
}

const useDrawnEdges = ({ document, selectedLinks, countOf }: CanvasProps) => {
  const { links, nodes } = document
  const drawn = useMemo(() => ({ links, nodes, selectedLinks, countOf }), [links, nodes, selectedLinks, countOf])
  const [shown, setShown] = useState(() => ({ drawn, edges: canvasEdges(document, selectedLinks, countOf, []) }))
  if (shown.drawn !== drawn) setShown({ drawn, edges: canvasEdges(document, selectedLinks, countOf, shown.edges) })
  return shown.edges
}

const outputOf = (handle: string | null | undefined): FlowOutput => (handle ?? null) as FlowOutput

const wayOf = ({ source, sourceHandle, target }: Connection) =>
  source !== null && target !== null ? { source, sourceHandle: outputOf(sourceHandle), target } : null

const coordinatesOf = (nodes: readonly Node[]) => new Map(nodes.map(({ id, position }) => [id, position]))

const selectionsIn = <C extends NodeChange | EdgeChange>(changes: readonly C[]) =>
  changes.flatMap((change) => (change.type === 'select' ? { id: change.id, selected: change.selected } : []))

/** Of most nodes, with their outputs. */
const nodeSize = { width: 240, height: 135 }
const marginPx = 24

/** How far the drawing has to move for a node of these coordinates to be seen whole, beside the minimap; [0, 0] where it is. */
const moveIntoView = ({ x, y }: Coordinates, { x: left, y: top, zoom }: Viewport, pane: HTMLElement) => {
  const [fromX, fromY] = [x * zoom + left, y * zoom + top]
  const [toX, toY] = [fromX + nodeSize.width * zoom, fromY + nodeSize.height * zoom]
  const into = (from: number, to: number, end: number) =>
    from < marginPx ? marginPx - from : Math.min(0, end - marginPx - to)
  const [byX, byY] = [into(fromX, toX, pane.clientWidth), into(fromY, toY, pane.clientHeight)]
  const map = pane.querySelector('.react-flow__minimap')?.getBoundingClientRect()
  if (!map || map.width === 0) return [byX, byY] as const
  const origin = pane.getBoundingClientRect()
  const isUnderMap = toX + byX > map.left - origin.left && toY + byY > map.top - origin.top
  return [byX, isUnderMap ? map.top - origin.top - marginPx - toY : byY] as const
}

const useControls = (handle: Ref<CanvasHandle>, pane: RefObject<HTMLDivElement | null>) => {
  const [isLocked, setLocked] = useState(false)
  const flow = useReactFlow()
  const controls = useMemo(
    (): CanvasHandle => ({
      zoomIn: () => flow.zoomIn(),
      zoomOut: () => flow.zoomOut(),
      fit: () => flow.fitView(fitOptions),
      toggleLock: () => setLocked((locked) => !locked),
      show: (nodeId: string) => {
        const node = flow.getNode(nodeId)
        if (!node) return
        const [x, y] = [node.position.x + (node.width ?? 240) / 2, node.position.y + (node.height ?? 90) / 2]
        flow.setCenter(x, y, { zoom: Math.max(flow.getZoom(), 0.75) })
      },
      reveal: (at: Coordinates) => {
        if (!pane.current) return
        const view = flow.getViewport()
        const [byX, byY] = moveIntoView(at, view, pane.current)
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
    (_: unknown, node: CanvasNode, moved: Node[]) =>
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
    if (over?.classList.contains('react-flow__pane')) setAt({ x: point.clientX, y: point.clientY, after })
  }, [])
  return { at, onStart, onEnd, close: () => setAt(null) }
}

const Drawing = (props: CanvasProps) => {
  const { onAddAt, onOpen, handle, isReadOnly = false } = props
  const { nodes, draw } = useDrawnNodes(props)
  const edges = useDrawnEdges(props)
  const pane = useRef<HTMLDivElement>(null)
  const { isLocked, controls, coordinatesAt } = useControls(handle, pane)
  const dropped = useDroppedLinks()
  const edits = useCanvasEdits(props, draw)
  const onDrop = (event: DragEvent) => {
    const type = event.dataTransfer.getData(nodeDragType)
    if (!isNodeType(type)) return
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
    >
      <ReactFlow
        {...edits}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        onConnectStart={dropped.onStart}
        onConnectEnd={dropped.onEnd}
        onNodeClick={(event) => onOpen(event.detail === 0)}
        minZoom={zoom.least}
        maxZoom={zoom.max}
        snapToGrid
        snapGrid={snapGrid}
        fitView
        fitViewOptions={fitOptions}
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
        <Background variant={BackgroundVariant.Dots} gap={gridPx} color="var(--border-strong)" />
        <MiniMap
          ariaLabel="Minimapa"
          style={minimapStyle}
          pannable
          zoomable
          nodeColor="var(--border-strong)"
          maskColor="var(--hover)"
        />
        <CanvasControls
          isLocked={isLocked}
          onZoomIn={controls.zoomIn}
          onZoomOut={controls.zoomOut}
          onFit={controls.fit}
          onLock={isReadOnly ? null : controls.toggleLock}
        />
      </ReactFlow>
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

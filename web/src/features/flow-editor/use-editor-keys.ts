import type { FlowNodeType } from '@prosa/contracts/flows/flow-document'
import { type RefObject, useEffect, useRef } from 'react'
import { isTyping } from '../../lib/browser/is-typing.ts'
import type { CanvasHandle } from './canvas/canvas.tsx'
import type { EditorView } from './editor-header.tsx'
import { nodeTypes } from './node-words.ts'
import { noteElement, notesOf } from './notes/flow-notes.ts'
import { type FlowShortcut, flowShortcutOf, worksWhileTyping } from './shortcuts/flow-shortcuts.ts'
import type { SidebarAction } from './sidebar.tsx'
import { gridPx } from './state/node-graph.ts'
import type { DraftEditing } from './state/use-draft.ts'

/** A dialog that fades out has `aria-hidden` and no longer takes keys. */
const isSomethingOpen = (): boolean =>
  [...document.querySelectorAll('[role="dialog"], [role="menu"]')].some(
    (element) => element.closest('[aria-hidden="true"]') === null,
  )

/** The shell navigates with G and another key. */
const sequenceMs = 1500

/** If `handle` returns false, the browser handles the key. */
const useFlowShortcuts = (handle: (shortcut: FlowShortcut, target: Element) => boolean): void => {
  const latest = useRef(handle)
  useEffect(() => {
    latest.current = handle
  })
  useEffect(() => {
    let navigationKeyAtMs = Number.NEGATIVE_INFINITY
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event
      if (event.defaultPrevented || event.isComposing || !(target instanceof Element) || isSomethingOpen()) return
      const isNavigationKey = event.timeStamp - navigationKeyAtMs < sequenceMs
      navigationKeyAtMs = event.key.toLowerCase() === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      const shortcut = flowShortcutOf(event)
      if (shortcut === null || isNavigationKey || (isTyping(target) && !worksWhileTyping(shortcut))) return
      if (latest.current(shortcut, target)) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

interface Options {
  draft: DraftEditing
  view: EditorView
  canvas: RefObject<CanvasHandle | null>
  /** `focused`: the step that has the focus. */
  onAdd: (type: FlowNodeType | typeof noteElement, focused: string | undefined) => void
  onAction: (action: SidebarAction) => void
  onView: (view: EditorView) => void
  onSearch: () => void
  onTest: () => void
  onSave: () => void
  onPublish: () => void
  onClear: () => boolean
}

type Named = Exclude<FlowShortcut, `add_${number}`>

const stepAround = (target: Element) => target.closest<HTMLElement>('[data-step]')?.dataset.step

const isAddition = (shortcut: FlowShortcut): shortcut is `add_${number}` => /^add_\d/.test(shortcut)

const used = (act: () => unknown) => (): boolean => {
  act()
  return true
}

const focusBeside = (target: Element, by: 1 | -1): boolean => {
  if (!target.matches('[data-step]')) return false
  const steps = [...document.querySelectorAll<HTMLElement>('[data-step]')]
  const next = steps[steps.indexOf(target as HTMLElement) + by]
  next?.focus()
  return next !== undefined
}

export const useEditorKeys = (options: Options): void => {
  const { draft, view, canvas, onAction, onView } = options
  const { state, edit } = draft
  const isDrawing = view === 'drawing'
  const onCanvas = (act: (handle: CanvasHandle) => void) => () => {
    if (!isDrawing || !canvas.current) return false
    act(canvas.current)
    return true
  }
  const moveBy = (x: number, y: number): boolean => {
    if (!isDrawing || state.selected.length === 0) return false
    const chosen = new Set(state.selected)
    const coordinates = new Map(
      [...state.document.nodes, ...notesOf(state.document)]
        .filter(({ id }) => chosen.has(id))
        .map(({ id, position }) => [id, { x: position.x + x * gridPx, y: position.y + y * gridPx }]),
    )
    edit({ type: 'move', coordinates, typed: { field: 'arrows', atMs: Date.now() } })
    return true
  }
  const isAnythingSelected = state.selected.length + state.selectedLinks.length > 0
  const handlers: Record<Named, (target: Element) => boolean> = {
    save: used(options.onSave),
    publish: used(options.onPublish),
    undo: used(() => edit({ type: 'undo' })),
    redo: used(() => edit({ type: 'redo' })),
    select_all: used(() =>
      edit({
        type: 'select',
        nodeIds: [...state.document.nodes, ...notesOf(state.document)].map(({ id }) => id),
        linkIds: state.document.links.map(({ id }) => id),
      }),
    ),
    search: used(options.onSearch),
    delete: () =>
      isAnythingSelected &&
      used(() => edit({ type: 'delete', nodeIds: state.selected, linkIds: state.selectedLinks }))(),
    clear: options.onClear,
    zoom_in: onCanvas(({ zoomIn }) => zoomIn()),
    zoom_out: onCanvas(({ zoomOut }) => zoomOut()),
    fit: onCanvas(({ fit }) => fit()),
    lock: onCanvas(({ toggleLock }) => toggleLock()),
    toggle_view: used(() => onView(isDrawing ? 'list' : 'drawing')),
    arrange: used(() => onAction('arrange')),
    test: used(options.onTest),
    preview: used(() => onAction('preview')),
    settings: used(() => onAction('settings')),
    versions: used(() => onAction('versions')),
    runs: used(() => onAction('runs')),
    help: used(() => onAction('help')),
    add_note: (target) => used(() => options.onAdd(noteElement, stepAround(target)))(),
    left: () => moveBy(-1, 0),
    right: () => moveBy(1, 0),
    up: (target) => (isDrawing ? moveBy(0, -1) : focusBeside(target, -1)),
    down: (target) => (isDrawing ? moveBy(0, 1) : focusBeside(target, 1)),
  }
  useFlowShortcuts((shortcut, target) => {
    if (!isAddition(shortcut)) return handlers[shortcut](target)
    const type = nodeTypes[Number(shortcut.slice('add_'.length)) - 1]
    if (type) options.onAdd(type, stepAround(target))
    return type !== undefined
  })
}

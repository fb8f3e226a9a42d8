import {
  type FlowNode,
  type FlowNodeType,
  maximumFlowNodes,
  maximumFlowNotes,
} from '@prosa/contracts/flows/flow-document'
import type { FlowDetail } from '@prosa/contracts/http/flows'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useCallback, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { labelsQuery } from '../../lib/account/labels.ts'
import { copyText } from '../../lib/browser/copy-text.ts'
import { count } from '../../lib/format/format.ts'
import { useToast } from '../../lib/toast.ts'
import { flowNamesQuery } from './api.ts'
import type { CanvasHandle } from './canvas/canvas.tsx'
import { copiedNodes } from './clipboard.ts'
import type { OpenDialog } from './editor-dialogs.tsx'
import type { EditorView } from './editor-header.tsx'
import { foundNodes } from './node-search.tsx'
import type { Named } from './node-words.ts'
import { isFullOfNotes, noteElement } from './notes/flow-notes.ts'
import { newNote, notesAfter } from './notes/note-coordinates.ts'
import type { SidebarAction } from './sidebar.tsx'
import type { FlowEdit } from './state/flow-edits.ts'
import { addingNode } from './state/new-node.ts'
import type { Coordinates, Way } from './state/node-graph.ts'
import { type DraftEditing, useDraft } from './state/use-draft.ts'
import { useNodeClipboard } from './state/use-node-clipboard.ts'
import { useProblems } from './state/use-problems.ts'
import { usePublishing, useSettings } from './state/use-publishing.ts'
import { useEditorKeys } from './use-editor-keys.ts'

const none: ReadonlySet<string> = new Set()

const useNodeSearch = (nodes: readonly FlowNode[], named: Named, onShow: (nodeId: string) => void) => {
  const [text, setText] = useState<string | null>(null)
  const [at, setAt] = useState(-1)
  const found = useMemo(() => (text === null ? [] : foundNodes(nodes, text, named)), [nodes, text, named])
  const ids = useMemo(() => (found.length === 0 ? none : new Set(found.map(({ id }) => id))), [found])
  return {
    isOpen: text !== null,
    text: text ?? '',
    found,
    ids,
    at: Math.min(at, found.length - 1),
    open: () => setText((known) => known ?? ''),
    close: () => setText(null),
    write: (written: string) => {
      setText(written)
      setAt(-1)
    },
    go: (by: 1 | -1) => {
      if (found.length === 0) return
      const next = (at + by + found.length) % found.length
      setAt(next)
      const node = found[next]
      if (node) onShow(node.id)
    },
  }
}

/** A neutral word while names are loading or after a failure. */
export const useNames = (): Named => {
  const labels = useQuery(labelsQuery).data
  const flows = useQuery(flowNamesQuery).data
  return useMemo(
    () => ({
      label: (id) => (labels ? labels.find((label) => label.id === id)?.name : 'Etiqueta'),
      flow: (id) => (flows ? flows.find((flow) => flow.id === id)?.name : 'Fluxo'),
    }),
    [labels, flows],
  )
}

const nodeElement = (nodeId: string) => document.querySelector<HTMLElement>(`[data-step="${nodeId}"]`)

const maxFrames = 30

/** The canvas hides a node until it has measured it. */
const focusOnceShown = (nodeId: string, framesLeft = maxFrames): void => {
  const element = nodeElement(nodeId)
  element?.focus()
  if (framesLeft > 0 && (!element || document.activeElement !== element))
    requestAnimationFrame(() => focusOnceShown(nodeId, framesLeft - 1))
}

const useOpenNode = (selected: readonly string[], view: EditorView, edit: (edit: FlowEdit) => void) => {
  const [opened, setOpened] = useState<{ nodeId: string | null; byKeys: boolean }>({ nodeId: null, byKeys: false })
  const only = selected.length === 1 ? (selected[0] ?? null) : null
  // On the canvas a press selects and opens a node; a checkbox in the list only selects.
  const nodeId = view === 'drawing' || opened.nodeId === only ? only : null
  return {
    nodeId,
    byKeys: opened.byKeys,
    open: (nodeId: string, byKeys: boolean) => {
      setOpened({ nodeId, byKeys })
      edit({ type: 'select', nodeIds: [nodeId] })
    },
    noteOpening: setOpened,
    close: () => {
      setOpened({ nodeId: null, byKeys: false })
      edit({ type: 'select', nodeIds: [] })
      if (nodeId !== null) nodeElement(nodeId)?.focus()
    },
  }
}

interface Adding {
  at?: Coordinates | undefined
  after?: Pick<Way, 'source' | 'sourceHandle'> | undefined
  /** Stands for what is selected. */
  focused?: string | undefined
}

interface ActionOptions {
  draft: DraftEditing
  view: EditorView
  canvas: RefObject<CanvasHandle | null>
  onDialog: (dialog: OpenDialog) => void
  onAdded: (nodeId: string) => void
}

const useEditorActions = ({ draft, view, canvas, onDialog, onAdded }: ActionOptions) => {
  const toast = useToast()
  const { state, edit, save } = draft
  const { document, selected } = state
  const arrange = async () => {
    const { laidOut } = await import('./canvas/layout.ts')
    // Rendered before the canvas measures it.
    const coordinates = laidOut(document)
    flushSync(() =>
      edit({ type: 'move', coordinates: new Map([...coordinates, ...notesAfter(document, coordinates)]) }),
    )
    canvas.current?.fit()
  }
  const showAdded = (added: FlowEdit, { id, position }: { id: string; position: Coordinates }) => {
    // Rendered before the canvas measures what is left of it beside the panel.
    flushSync(() => {
      edit(added)
      onAdded(id)
    })
    canvas.current?.reveal(id, position)
    if (view === 'list') nodeElement(id)?.scrollIntoView({ block: 'nearest' })
    return id
  }
  return {
    add: (type: FlowNodeType | typeof noteElement, { at, after, focused }: Adding = {}) => {
      if (type === noteElement) {
        if (!isFullOfNotes(document)) {
          const note = newNote(document, { at, beside: focused ?? selected[0] })
          return showAdded({ type: 'add_note', note }, note)
        }
        toast({ kind: 'error', title: `Um fluxo tem no máximo ${count(maximumFlowNotes)} notas` })
        return undefined
      }
      if (document.nodes.length >= maximumFlowNodes) {
        toast({ kind: 'error', title: `Um fluxo tem no máximo ${count(maximumFlowNodes)} passos` })
        return undefined
      }
      const adding = addingNode(type, document, focused === undefined ? selected : [focused], { at, after })
      return showAdded(adding, adding.node)
    },
    act: (action: SidebarAction) => {
      if (action === 'arrange') void arrange()
      // Restoring overwrites the saved draft, so it must equal the one shown here.
      else if (action === 'versions') void save().then(() => onDialog('versions'))
      else onDialog(action)
    },
    saveNow: async () => {
      if (await save()) toast({ kind: 'success', title: 'Fluxo salvo' })
    },
    show: useCallback(
      (nodeId: string) => {
        canvas.current?.show(nodeId)
        if (view === 'list') nodeElement(nodeId)?.scrollIntoView({ block: 'center' })
      },
      [canvas, view],
    ),
    copy: (nodeId: string) =>
      copyText(copiedNodes(document, [nodeId])).then(
        () => toast({ kind: 'success', title: 'Copiado' }),
        () => toast({ kind: 'error', title: 'Erro ao copiar', description: 'O navegador não deixou copiar o passo.' }),
      ),
  }
}

export const useEditor = (flow: FlowDetail, isNarrow: boolean) => {
  const [chosenView, setView] = useState<EditorView | null>(null)
  const view = chosenView ?? (isNarrow ? 'list' : 'drawing')
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [isTesting, setTesting] = useState(false)
  const canvas = useRef<CanvasHandle>(null)
  const named = useNames()
  const draft = useDraft(flow)
  const { state, edit } = draft
  const { document, selected, selectedLinks } = state
  const checked = useProblems(document)
  const openNode = useOpenNode(selected, view, edit)
  const storeSettings = useSettings(flow, draft)
  const actions = useEditorActions({
    draft,
    view,
    canvas,
    onDialog: setDialog,
    onAdded: (nodeId) => openNode.noteOpening({ nodeId, byKeys: view === 'list' }),
  })
  const search = useNodeSearch(document.nodes, named, actions.show)
  const publishing = usePublishing(flow.id, draft, {
    onProblems: (problems) => checked.note({ document, problems }),
    onPublished: () => setDialog(null),
  })
  const publish = () => {
    if (!publishing.isPending) publishing.mutate()
  }
  const test = () => setTesting((was) => !was)

  useNodeClipboard({ document, selected, edit })
  useEditorKeys({
    draft,
    view,
    canvas,
    // Where Enter opens its properties.
    onAdd: (type, focused) => {
      const added = actions.add(type, { focused })
      if (added === undefined) return
      openNode.noteOpening({ nodeId: added, byKeys: false })
      focusOnceShown(added)
    },
    onAction: actions.act,
    onView: setView,
    onSearch: search.open,
    onTest: test,
    onSave: () => void actions.saveNow(),
    onPublish: () => setDialog('publish'),
    onClear: () => {
      if (selected.length + selectedLinks.length === 0) return false
      openNode.close()
      return true
    },
  })

  return {
    ...{ view, setView, dialog, setDialog, isTesting, test, canvas, named, draft, openNode, storeSettings, actions },
    ...{ search, publish, isPublishing: publishing.isPending, problems: checked.problems, byNode: checked.byNode },
    showNode: (nodeId: string) => {
      openNode.open(nodeId, view === 'list')
      actions.show(nodeId)
    },
  }
}

export type EditorParts = ReturnType<typeof useEditor>

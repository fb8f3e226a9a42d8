import { type FlowNodeType, maximumFlowNodes } from '@prosa/contracts/flows/flow-document'
import type { FlowDetail } from '@prosa/contracts/http/flows'
import { type RefObject, useCallback, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { copyText } from '../../lib/copy-text.ts'
import { count } from '../../lib/format.ts'
import { useToast } from '../../lib/toast.ts'
import type { CanvasHandle } from './canvas/canvas.tsx'
import { copiedSteps } from './clipboard.ts'
import type { OpenDialog } from './editor-dialogs.tsx'
import type { EditorView } from './editor-header.tsx'
import type { SidebarAction } from './sidebar.tsx'
import type { FlowEdit } from './state/flow-edits.ts'
import { addingStep } from './state/new-step.ts'
import type { Place } from './state/step-graph.ts'
import { type DraftEditing, useDraft } from './state/use-draft.ts'
import { useNames } from './state/use-names.ts'
import { useProblems } from './state/use-problems.ts'
import { usePublishing, useSettings } from './state/use-publishing.ts'
import { useStepClipboard } from './state/use-step-clipboard.ts'
import { useStepSearch } from './state/use-step-search.ts'
import { useEditorKeys } from './use-editor-keys.ts'

const stepElement = (nodeId: string) => document.querySelector<HTMLElement>(`[data-step="${nodeId}"]`)

const useOpenStep = (selected: readonly string[], view: EditorView, edit: (edit: FlowEdit) => void) => {
  const [opened, setOpened] = useState<{ nodeId: string | null; byKeys: boolean }>({ nodeId: null, byKeys: false })
  const only = selected.length === 1 ? (selected[0] ?? null) : null
  // On the canvas a press selects and opens a step; a checkbox in the list only selects.
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
      if (opened.byKeys && nodeId !== null) stepElement(nodeId)?.focus()
    },
  }
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
    flushSync(() => edit({ type: 'move', places: laidOut(document) }))
    canvas.current?.fit()
  }
  return {
    add: (type: FlowNodeType, place?: Place) => {
      if (document.nodes.length >= maximumFlowNodes)
        return toast({ kind: 'error', title: `Um fluxo tem no máximo ${count(maximumFlowNodes)} passos` })
      const adding = addingStep(type, document, selected, place)
      edit(adding)
      onAdded(adding.node.id)
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
        if (view === 'list') stepElement(nodeId)?.scrollIntoView({ block: 'center' })
      },
      [canvas, view],
    ),
    copy: (nodeId: string) =>
      copyText(copiedSteps(document, [nodeId])).then(
        () => toast({ kind: 'success', title: 'Passo copiado' }),
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
  const openStep = useOpenStep(selected, view, edit)
  const storeSettings = useSettings(flow, draft)
  const actions = useEditorActions({
    draft,
    view,
    canvas,
    onDialog: setDialog,
    onAdded: (nodeId) => openStep.noteOpening({ nodeId, byKeys: view === 'list' }),
  })
  const search = useStepSearch(document.nodes, named, actions.show)
  const publishing = usePublishing(flow.id, draft, (problems) => {
    checked.note({ document, problems })
    setDialog('refused')
  })
  const publish = () => {
    if (!publishing.isPending) publishing.mutate()
  }
  const test = () => setTesting((was) => !was)

  useStepClipboard({ document, selected, edit })
  useEditorKeys({
    draft,
    view,
    canvas,
    onAdd: actions.add,
    onAction: actions.act,
    onView: setView,
    onSearch: search.open,
    onTest: test,
    onSave: () => void actions.saveNow(),
    onPublish: publish,
    onClear: () => {
      if (selected.length + selectedLinks.length === 0) return false
      openStep.close()
      return true
    },
  })

  return {
    ...{ view, setView, dialog, setDialog, isTesting, test, canvas, named, draft, openStep, storeSettings, actions },
    ...{ search, publish, isPublishing: publishing.isPending, problems: checked.problems, byNode: checked.byNode },
    showNode: (nodeId: string) => {
      openStep.open(nodeId, view === 'list')
      actions.show(nodeId)
    },
  }
}

export type EditorParts = ReturnType<typeof useEditor>

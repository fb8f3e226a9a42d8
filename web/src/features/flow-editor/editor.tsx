import Box from '@mui/material/Box'
import type { FlowDetail } from '@prosa/contracts/http/flows'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { lazyPart } from '../../components/layout/lazy-part.tsx'
import { LoadingScreen } from '../../components/layout/loading-screen.tsx'
import { SkipLink } from '../../components/skip-link.tsx'
import { EditorDialogs } from './editor-dialogs.tsx'
import { EditorHeader } from './editor-header.tsx'
import { NodeList } from './list/node-list.tsx'
import { NodeSearch } from './node-search.tsx'
import { notesOf } from './notes/flow-notes.ts'
import { NotePanel } from './notes/note-panel.tsx'
import { PropertiesPanel } from './panel/properties-panel.tsx'
import { BottomBar, Sidebar } from './sidebar.tsx'
import { errorsIn } from './state/use-problems.ts'
import { flowStatisticsQuery } from './statistics/api.ts'
import { outputCountsOf } from './statistics/edge-counts.ts'
import { type EditorParts, useEditor } from './use-editor.ts'
import { useIsNarrow } from './use-is-narrow.ts'

const Canvas = lazyPart(async () => (await import('./canvas/canvas.tsx')).Canvas, <LoadingScreen />)
const TryoutPanel = lazyPart(async () => (await import('./tryout/tryout-panel.tsx')).TryoutPanel)

const Header = ({ flow, parts }: { flow: FlowDetail; parts: EditorParts }) => {
  const { draft, problems, actions } = parts
  const { state, edit, saver, saving } = draft
  const errors = errorsIn(problems).length
  return (
    <EditorHeader
      flowId={flow.id}
      name={flow.name}
      status={flow.status}
      isChanged={flow.isChanged || saver.revision !== flow.revision || saver.isUnsaved}
      saving={saving}
      errors={errors}
      warnings={problems.length - errors}
      view={parts.view}
      canUndo={state.past.length > 0}
      canRedo={state.future.length > 0}
      isTesting={parts.isTesting}
      isPublishing={parts.isPublishing}
      onUndo={() => edit({ type: 'undo' })}
      onRedo={() => edit({ type: 'redo' })}
      onView={parts.setView}
      onProblems={() => parts.setDialog('problems')}
      onTest={parts.test}
      onSave={() => void actions.saveNow()}
      onPublish={() => parts.setDialog('publish')}
    />
  )
}

const Stage = ({ flow, parts }: { flow: FlowDetail; parts: EditorParts }) => {
  const { draft, openNode, actions, byNode, search, named, canvas } = parts
  const { edit, state } = draft
  const { document, selected } = state
  const [currentNodeId, setCurrentNodeId] = useState<string | null>(null)
  const showCurrent = useCallback(
    (nodeId: string | null) => {
      setCurrentNodeId(nodeId)
      if (nodeId !== null) canvas.current?.reveal(nodeId)
    },
    [canvas],
  )
  const { data: statistics } = useQuery(flowStatisticsQuery(flow.id))
  const countOf = useMemo(() => outputCountsOf(statistics), [statistics])
  const opened = document.nodes.find(({ id }) => id === openNode.nodeId)
  const openedNote = notesOf(document).find(({ id }) => id === openNode.nodeId)
  const shared = { document, selected, problems: byNode, currentNodeId, found: search.ids, named, edit }
  return (
    <>
      <Box sx={{ display: 'flex', flexDirection: 'column', flex: 1, minWidth: 0, minHeight: 0 }}>
        {parts.view === 'drawing' ? (
          <Canvas
            {...shared}
            selectedLinks={state.selectedLinks}
            countOf={countOf}
            onAddAt={(type, at, after) => actions.add(type, { at, after })}
            onOpen={(byKeys) => openNode.noteOpening({ nodeId: null, byKeys })}
            handle={canvas}
          />
        ) : (
          <NodeList
            {...shared}
            onOpen={(nodeId) => openNode.open(nodeId, true)}
            onCopy={(nodeId) => void actions.copy(nodeId)}
          />
        )}
      </Box>
      {parts.isTesting ? (
        <TryoutPanel flowId={flow.id} document={document} onCurrentNode={showCurrent} onClose={parts.test} />
      ) : (
        opened && (
          <PropertiesPanel
            flowId={flow.id}
            node={opened}
            document={document}
            problems={byNode.get(opened.id) ?? []}
            edit={edit}
            takesFocus={openNode.byKeys}
            onClose={openNode.close}
          />
        )
      )}
      {openedNote && !parts.isTesting && (
        <NotePanel note={openedNote} edit={edit} takesFocus={openNode.byKeys} onClose={openNode.close} />
      )}
    </>
  )
}

export const Editor = ({ flow }: { flow: FlowDetail }) => {
  const isNarrow = useIsNarrow()
  const parts = useEditor(flow, isNarrow)
  const { search, actions } = parts
  return (
    <Box data-own-header sx={{ display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0 }}>
      <SkipLink label="Pular para os passos" target={() => document.querySelector<HTMLElement>('[data-step]')} />
      <Header flow={flow} parts={parts} />
      {search.isOpen && (
        <NodeSearch
          text={search.text}
          found={search.found}
          at={search.at}
          onText={search.write}
          onGo={search.go}
          onClose={search.close}
        />
      )}
      <Box sx={{ display: 'flex', flex: 1, minHeight: 0 }}>
        {!isNarrow && <Sidebar onAdd={(type) => actions.add(type)} onAction={actions.act} />}
        <Stage flow={flow} parts={parts} />
      </Box>
      {isNarrow && <BottomBar onAdd={(type) => actions.add(type)} onAction={actions.act} />}
      <EditorDialogs
        flow={flow}
        draft={parts.draft}
        problems={parts.problems}
        named={parts.named}
        open={parts.dialog}
        isPublishing={parts.isPublishing}
        onPublish={parts.publish}
        onSettings={parts.storeSettings}
        onShowNode={parts.showNode}
        onClose={() => parts.setDialog(null)}
      />
    </Box>
  )
}

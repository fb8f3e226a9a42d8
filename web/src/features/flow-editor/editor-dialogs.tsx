import type { FlowDetail } from '@prosa/contracts/http/flows'
import { lazyPart } from '../../components/layout/lazy-part.tsx'
import { readFlow } from './api.ts'
import { ProblemsDialog } from './dialogs/problems-dialog.tsx'
import type { FlowChoices } from './dialogs/settings-dialog.tsx'
import type { Named } from './node-words.ts'
import type { DraftEditing } from './state/use-draft.ts'
import type { useProblems } from './state/use-problems.ts'

const PreviewDialog = lazyPart(async () => (await import('./preview/preview-dialog.tsx')).PreviewDialog)
const VersionsDialog = lazyPart(async () => (await import('./versions/versions-dialog.tsx')).VersionsDialog)
const RunsDialog = lazyPart(async () => (await import('./runs/runs-dialog.tsx')).RunsDialog)
const SettingsDialog = lazyPart(async () => (await import('./dialogs/settings-dialog.tsx')).SettingsDialog)
const ConflictDialog = lazyPart(async () => (await import('./dialogs/conflict-dialog.tsx')).ConflictDialog)
const PublishDialog = lazyPart(async () => (await import('./dialogs/publish-dialog.tsx')).PublishDialog)
const FlowShortcutsDialog = lazyPart(
  async () => (await import('./shortcuts/flow-shortcuts-dialog.tsx')).FlowShortcutsDialog,
)

export type OpenDialog = 'settings' | 'preview' | 'versions' | 'runs' | 'help' | 'problems' | 'publish'

interface Props {
  flow: FlowDetail
  draft: DraftEditing
  problems: ReturnType<typeof useProblems>['problems']
  named: Named
  open: OpenDialog | null
  isPublishing: boolean
  onPublish: () => void
  onSettings: (choices: FlowChoices) => Promise<unknown>
  onShowNode: (nodeId: string) => void
  onClose: () => void
}

export const EditorDialogs = ({
  flow,
  draft,
  problems,
  named,
  open,
  isPublishing,
  onPublish,
  onSettings,
  onShowNode,
  onClose,
}: Props) => {
  const { state, saver, saving, load } = draft
  const { document } = state
  const flowId = flow.id
  const showNode = (nodeId: string) => {
    onClose()
    onShowNode(nodeId)
  }
  if (saving.kind === 'conflict')
    return (
      <ConflictDialog
        flowId={flowId}
        document={document}
        onLoad={async () => load(await readFlow(flowId))}
        onSaveOver={() => saver.saveOver()}
      />
    )
  switch (open) {
    case null:
      return null
    case 'settings':
      return (
        <SettingsDialog
          flowId={flow.id}
          name={flow.name}
          isOn={flow.version === null ? null : flow.status === 'active'}
          settings={document.settings}
          onSave={onSettings}
          onClose={onClose}
        />
      )
    case 'preview':
      return <PreviewDialog flowId={flowId} document={document} onClose={onClose} />
    case 'versions':
      return (
        <VersionsDialog
          flowId={flowId}
          document={document}
          revision={saver.revision}
          onRestored={(restored) => {
            load(restored)
            onClose()
          }}
          onClose={onClose}
        />
      )
    case 'runs':
      return <RunsDialog flowId={flowId} document={document} onShowNode={showNode} onClose={onClose} />
    case 'help':
      return <FlowShortcutsDialog onClose={onClose} />
    case 'problems':
      return (
        <ProblemsDialog problems={problems} document={document} named={named} onShow={showNode} onClose={onClose} />
      )
    case 'publish':
      return (
        <PublishDialog {...{ flow, problems, document, named, isPublishing, onPublish, onClose }} onShow={showNode} />
      )
  }
}

import type { Flow, FlowFolder } from '@prosa/contracts/http/flows'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useDeleteFlow, useDeleteFolder } from './api.ts'
import { NewFlowDialog, RenameFlowDialog } from './flow-name-dialog.tsx'
import { FolderDialog } from './folder-dialog.tsx'
import { MoveFlowDialog } from './move-flow-dialog.tsx'

/** Loaded on demand: it brings the schemas and checks of flows. */
const ImportDialog = lazyPart(async () => (await import('./flow-file/import-dialog.tsx')).ImportDialog)

export type Shown =
  | { dialog: 'newFlow' | 'newFolder' }
  | { dialog: 'renameFlow' | 'moveFlow' | 'deleteFlow'; flow: Flow }
  | { dialog: 'editFolder' | 'deleteFolder'; folder: FlowFolder }
  | { dialog: 'import'; file: File | null }

const DeleteFlowDialog = ({ flow, onClose }: { flow: Flow; onClose: () => void }) => {
  const remove = useDeleteFlow()
  return (
    <ConfirmDialog
      open
      title="Excluir Fluxo"
      sentence={`Tem certeza que deseja excluir o fluxo "${flow.name}"? Esta ação não pode ser desfeita.`}
      confirm="Excluir"
      destructive
      pending={remove.isPending}
      onConfirm={() => remove.mutate(flow.id, { onSettled: onClose })}
      onCancel={onClose}
    />
  )
}

const DeleteFolderDialog = ({ folder, onClose }: { folder: FlowFolder; onClose: () => void }) => {
  const remove = useDeleteFolder()
  return (
    <ConfirmDialog
      open
      title="Excluir Pasta"
      sentence={`Tem certeza que deseja excluir a pasta "${folder.name}"? Esta ação não pode ser desfeita e todos os fluxos dentro da pasta serão perdidos.`}
      confirm="Excluir"
      destructive
      pending={remove.isPending}
      onConfirm={() => remove.mutate(folder.id, { onSettled: onClose })}
      onCancel={onClose}
    />
  )
}

interface Props {
  shown: Shown | null
  folders: readonly FlowFolder[]
  folderId: string | null
  onCreated: (flow: Flow) => void
  onClose: () => void
}

export const FlowDialogs = ({ shown, folders, folderId, onCreated, onClose }: Props) => {
  switch (shown?.dialog) {
    case undefined:
      return null
    case 'newFlow':
      return <NewFlowDialog folderId={folderId} onCreated={onCreated} onClose={onClose} />
    case 'renameFlow':
      return <RenameFlowDialog flow={shown.flow} onClose={onClose} />
    case 'moveFlow':
      return <MoveFlowDialog flow={shown.flow} folders={folders} onClose={onClose} />
    case 'deleteFlow':
      return <DeleteFlowDialog flow={shown.flow} onClose={onClose} />
    case 'newFolder':
      return <FolderDialog onClose={onClose} />
    case 'editFolder':
      return <FolderDialog folder={shown.folder} onClose={onClose} />
    case 'deleteFolder':
      return <DeleteFolderDialog folder={shown.folder} onClose={onClose} />
    case 'import':
      return (
        <ImportDialog
          first={shown.file}
          folders={folders}
          folderId={folderId}
          onCreated={onCreated}
          onClose={onClose}
        />
      )
  }
}

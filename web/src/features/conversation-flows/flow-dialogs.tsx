import { maximumFlowNameLength, maximumFolderDescriptionLength } from '@prosa/contracts/flows/flow-limits'
import type { Flow, FlowFolder } from '@prosa/contracts/http/flows'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/forms/confirm-dialog.tsx'
import { Field } from '../../components/forms/field.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { SelectField } from '../../components/forms/select-field.tsx'
import { TextAreaField } from '../../components/forms/text-area-field.tsx'
import { lazyPart } from '../../components/layout/lazy-part.tsx'
import { useForm } from '../../lib/forms/use-form.ts'
import { useDeleteFlow, useDeleteFolder, useMoveFlow, useSaveFolder } from './api.ts'
import { NewFlowDialog, RenameFlowDialog } from './flow-name-dialog.tsx'

interface MoveFlowDialogProps {
  flow: Flow
  folders: readonly FlowFolder[]
  onClose: () => void
}

const MoveFlowDialog = ({ flow, folders, onClose }: MoveFlowDialogProps) => {
  const form = useForm(useState({ folderId: flow.folderId ?? '' }), {
    command: useMoveFlow(),
    toInput: ({ folderId }) => ({ id: flow.id, folderId: folderId || null }),
    onDone: onClose,
  })
  return (
    <FormDialog
      title={`Mover ${flow.name}`}
      form={form}
      submit="Mover"
      submitting="Movendo..."
      canSubmit={form.isChanged}
      onClose={onClose}
    >
      <SelectField
        label="Pasta"
        {...form.bind('folderId')}
        options={[{ value: '', label: 'Sem pasta' }, ...folders.map(({ id, name }) => ({ value: id, label: name }))]}
      />
    </FormDialog>
  )
}

const FolderDialog = ({ folder, onClose }: { folder?: FlowFolder; onClose: () => void }) => {
  const form = useForm(useState({ name: folder?.name ?? '', description: folder?.description ?? '' }), {
    command: useSaveFolder(folder?.id),
    toInput: ({ name, description }) => ({ name: name.trim(), description: description.trim() }),
    check: ({ name }) => ({ name: name.trim() === '' ? 'Dê um nome à pasta.' : undefined }),
    fieldOf: ({ errors }) => (errors.length === 0 ? 'name' : undefined),
    onDone: onClose,
  })
  return (
    <FormDialog
      title={folder ? 'Editar Pasta' : 'Criar Nova Pasta'}
      form={form}
      submit={folder ? 'Salvar' : 'Criar Pasta'}
      submitting="Salvando..."
      onClose={onClose}
    >
      <Field
        label="Nome"
        placeholder="Ex: Vendas"
        maxLength={maximumFlowNameLength}
        autoFocus
        autoComplete="off"
        {...form.bind('name')}
      />
      <TextAreaField
        label="Descrição"
        help="Opcional: para que servem os fluxos desta pasta."
        rows={3}
        maxLength={maximumFolderDescriptionLength}
        {...form.bind('description')}
      />
    </FormDialog>
  )
}

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

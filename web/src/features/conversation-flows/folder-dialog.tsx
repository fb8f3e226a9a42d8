import { maximumFlowNameLength, maximumFolderDescriptionLength } from '@prosa/contracts/flows/flow-limits'
import type { FlowFolder } from '@prosa/contracts/http/flows'
import { useState } from 'react'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { TextAreaField } from '../../components/text-area-field.tsx'
import { useForm } from '../../lib/use-form.ts'
import { useSaveFolder } from './api.ts'

export const FolderDialog = ({ folder, onClose }: { folder?: FlowFolder; onClose: () => void }) => {
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

import { maximumFlowNameLength } from '@prosa/contracts/flows/flow-limits'
import type { Flow } from '@prosa/contracts/http/flows'
import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { Field } from '../../components/forms/field.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { useForm } from '../../lib/forms/use-form.ts'
import { useCreateFlow, useRenameFlow } from './api.ts'

interface Props {
  title: string
  submit: string
  submitting: string
  name?: string
  command: UseMutationResult<Flow, Error, string, unknown>
  onDone: (flow: Flow) => void
  onClose: () => void
}

const NameDialog = ({ title, submit, submitting, name = '', command, onDone, onClose }: Props) => {
  const form = useForm(useState({ name }), {
    command,
    toInput: ({ name }) => name.trim(),
    check: ({ name }) => ({ name: name.trim() === '' ? 'Dê um nome ao fluxo.' : undefined }),
    fieldOf: () => 'name',
    onDone,
  })
  return (
    <FormDialog
      title={title}
      form={name !== '' && !form.isChanged ? { ...form, submit: onClose } : form}
      submit={submit}
      submitting={submitting}
      onClose={onClose}
    >
      <Field
        label="Nome"
        placeholder="Ex: Atendimento inicial"
        maxLength={maximumFlowNameLength}
        autoFocus
        autoComplete="off"
        {...form.bind('name')}
      />
    </FormDialog>
  )
}

interface NewProps {
  folderId: string | null
  onCreated: (flow: Flow) => void
  onClose: () => void
}

export const NewFlowDialog = ({ folderId, onCreated, onClose }: NewProps) => (
  <NameDialog
    title="Criar Novo Fluxo"
    submit="Criar Fluxo"
    submitting="Criando..."
    command={useCreateFlow(folderId)}
    onDone={onCreated}
    onClose={onClose}
  />
)

export const RenameFlowDialog = ({ flow, onClose }: { flow: Flow; onClose: () => void }) => (
  <NameDialog
    title="Renomear Fluxo"
    submit="Salvar"
    submitting="Salvando..."
    name={flow.name}
    command={useRenameFlow(flow.id)}
    onDone={onClose}
    onClose={onClose}
  />
)

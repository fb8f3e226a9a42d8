import type { Flow, FlowFolder } from '@prosa/contracts/http/flows'
import { useState } from 'react'
import { FormDialog } from '../../components/form-dialog.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useForm } from '../../lib/use-form.ts'
import { useMoveFlow } from './api.ts'

interface Props {
  flow: Flow
  folders: readonly FlowFolder[]
  onClose: () => void
}

export const MoveFlowDialog = ({ flow, folders, onClose }: Props) => {
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

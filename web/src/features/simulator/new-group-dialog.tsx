import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormGroup from '@mui/material/FormGroup'
import type { SimulatedPhone } from '@prosa/contracts/http/simulator'
import { useState } from 'react'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useForm } from '../../lib/use-form.ts'
import { useCreateGroup } from './api.ts'

type Props = { phones: readonly SimulatedPhone[]; onClose: () => void }

/** The first phone chosen creates the group. */
export const NewGroupDialog = ({ phones, onClose }: Props) => {
  const form = useForm(useState<{ subject: string; memberIds: string[] }>({ subject: '', memberIds: [] }), {
    command: useCreateGroup(),
    toInput: (values) => values,
    onDone: onClose,
  })
  const { memberIds } = form.values
  const toggle = (id: string) =>
    form.set({ memberIds: memberIds.includes(id) ? memberIds.filter((each) => each !== id) : [...memberIds, id] })
  return (
    <FormDialog title="Novo grupo" form={form} submit="Criar grupo" canSubmit={memberIds.length >= 2} onClose={onClose}>
      <Field label="Nome do grupo" autoFocus autoComplete="off" {...form.bind('subject')} />
      <FormGroup role="group" aria-label="Quem participa">
        {phones.map(({ id, name }) => (
          <FormControlLabel
            key={id}
            label={name}
            control={<Checkbox checked={memberIds.includes(id)} onChange={() => toggle(id)} />}
          />
        ))}
      </FormGroup>
    </FormDialog>
  )
}

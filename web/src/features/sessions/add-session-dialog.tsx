import { useState } from 'react'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useForm } from '../../lib/use-form.ts'
import { useAddSession } from './api.ts'

const required = 'Nome da sessão é obrigatório'

export const AddSessionDialog = ({ onClose, onAdded }: { onClose: () => void; onAdded: (token: string) => void }) => {
  const form = useForm(useState({ name: '' }), {
    command: useAddSession(),
    toInput: ({ name }) => name.trim(),
    check: ({ name }) => ({ name: name.trim() === '' ? required : undefined }),
    onDone: ({ token }) => onAdded(token),
  })
  return (
    <FormDialog title="Adicionar Sessão" form={form} submit="Adicionar" onClose={onClose}>
      <Field
        label="Nome da instância"
        placeholder="Ex: Loja do centro"
        help="Um nome para você reconhecer este número."
        maxLength={60}
        autoFocus
        autoComplete="off"
        {...form.bind('name')}
      />
    </FormDialog>
  )
}

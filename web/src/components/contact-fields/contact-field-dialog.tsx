import type { ContactField } from '@prosa/contracts/http/contact-details'
import { answerTypeNames, answerTypes } from '@prosa/contracts/values/answers/answer-type'
import { maximumLabelLength } from '@prosa/contracts/values/lengths'
import { useState } from 'react'
import { type FieldType, useCreateContactField, useRenameContactField } from '../../lib/account/contact-fields.ts'
import { useForm } from '../../lib/forms/use-form.ts'
import { Field } from '../forms/field.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { SelectField } from '../forms/select-field.tsx'

/** Files are no values. */
const fieldTypes = answerTypes.filter((type): type is FieldType => type !== 'file')

const missing = ({ name }: { name: string }) => ({ name: /\p{L}/u.test(name) ? undefined : 'Dê um nome ao campo.' })

interface NewProps {
  /** The only one that can be chosen. */
  type?: FieldType | undefined
  onCreated?: ((field: ContactField) => void) | undefined
  onClose: () => void
}

export const NewContactFieldDialog = ({ type, onCreated, onClose }: NewProps) => {
  const form = useForm(useState({ name: '', type: type ?? ('text' as FieldType) }), {
    command: useCreateContactField(),
    toInput: (values) => ({ ...values, name: values.name.trim() }),
    check: missing,
    fieldOf: () => 'name',
    onDone: (field) => {
      onCreated?.(field)
      onClose()
    },
  })
  return (
    <FormDialog title="Novo campo" form={form} submit="Criar" onClose={onClose}>
      <Field
        label="Nome"
        placeholder="Ex: Data de nascimento"
        help={`Até ${maximumLabelLength} caracteres.`}
        maxLength={maximumLabelLength}
        autoFocus
        autoComplete="off"
        {...form.bind('name')}
      />
      <SelectField
        label="O que guarda"
        help="Não muda depois."
        value={form.values.type}
        onChange={(chosen) => form.set({ type: fieldTypes.find((each) => each === chosen) ?? 'text' })}
        options={(type ? [type] : fieldTypes).map((each) => ({ value: each, label: answerTypeNames[each] }))}
      />
    </FormDialog>
  )
}

export const RenameContactFieldDialog = ({ field, onClose }: { field: ContactField; onClose: () => void }) => {
  const form = useForm(useState({ name: field.name }), {
    command: useRenameContactField(),
    toInput: ({ name }) => ({ id: field.id, name: name.trim() }),
    check: missing,
    fieldOf: () => 'name',
    onDone: onClose,
  })
  return (
    <FormDialog title="Mudar o nome do campo" form={form} submit="Salvar" onClose={onClose}>
      <Field
        label="Nome"
        help={`Nos textos o campo continua a ser {${field.variable}}.`}
        maxLength={maximumLabelLength}
        autoFocus
        autoComplete="off"
        {...form.bind('name')}
      />
    </FormDialog>
  )
}

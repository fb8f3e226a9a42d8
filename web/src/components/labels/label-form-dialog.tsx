import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { Label } from '@prosa/contracts/http/labels'
import type { LabelColour } from '@prosa/contracts/values/label-colour'
import { maximumLabelLength } from '@prosa/contracts/values/lengths'
import { useState } from 'react'
import { useSaveLabel } from '../../lib/account/save-label.ts'
import { useForm } from '../../lib/forms/use-form.ts'
import { Field } from '../forms/field.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { ColourChoice } from './colour-choice.tsx'
import { LabelChip } from './label-chip.tsx'

interface Props {
  /** Without it a new one is created. */
  label?: Label | undefined
  firstColour: LabelColour
  onDone?: (label: Label) => void
  onClose: () => void
}

export const LabelFormDialog = ({ label, firstColour, onDone, onClose }: Props) => {
  const form = useForm(useState({ name: label?.name ?? '', colour: label?.colour ?? firstColour }), {
    command: useSaveLabel(label?.id),
    toInput: ({ name, colour }) => ({ name: name.trim(), colour }),
    check: ({ name }) => ({ name: name.trim() === '' ? 'Dê um nome à etiqueta.' : undefined }),
    fieldOf: () => 'name',
    onDone: (saved) => {
      onDone?.(saved)
      onClose()
    },
  })
  const { name, colour } = form.values
  return (
    <FormDialog
      title={label ? 'Editar Etiqueta' : 'Nova Etiqueta'}
      form={form}
      submit={label ? 'Salvar' : 'Criar'}
      onClose={onClose}
    >
      <Field
        label="Nome"
        placeholder="Ex: Orçamento"
        help={`Até ${maximumLabelLength} caracteres.`}
        maxLength={maximumLabelLength}
        autoFocus
        autoComplete="off"
        {...form.bind('name')}
      />
      <ColourChoice value={colour} onChange={(colour) => form.set({ colour })} />
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 }}>
        <Typography sx={{ color: 'text.secondary' }}>Nas conversas:</Typography>
        <LabelChip colour={colour}>{name.trim() || 'Nome'}</LabelChip>
      </Box>
    </FormDialog>
  )
}

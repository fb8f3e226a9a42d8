import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState } from 'react'
import AddIcon from '~icons/ic/round-add'
import { Field } from '../../components/forms/field.tsx'
import { useForm } from '../../lib/forms/use-form.ts'
import { useAddPhone } from './api.ts'

const empty = { name: '', number: '' }

export const AddPhoneForm = () => {
  const form = useForm(useState(empty), {
    command: useAddPhone(),
    toInput: (values) => values,
    onDone: () => form.setValues(empty),
  })
  return (
    <Box
      component="form"
      noValidate
      onSubmit={form.submit}
      aria-label="Novo telefone simulado"
      sx={{
        display: 'grid',
        gap: 3,
        alignItems: 'start',
        gridTemplateColumns: { md: 'minmax(0, 1fr) minmax(0, 1fr) auto' },
      }}
    >
      <Field label="De quem é" placeholder="Ex: Ana, cliente" autoComplete="off" {...form.bind('name')} />
      <Field
        label="Número com DDD"
        inputMode="tel"
        placeholder="(11) 98765-4321"
        autoComplete="off"
        {...form.bind('number')}
      />
      <Button
        type="submit"
        variant="contained"
        startIcon={<AddIcon />}
        disabled={form.isPending}
        sx={{ mt: { md: 6 }, minHeight: { md: 'var(--field-height)' } }}
      >
        Adicionar telefone
      </Button>
    </Box>
  )
}

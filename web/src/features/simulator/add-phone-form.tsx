import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { type SubmitEvent, useState } from 'react'
import AddIcon from '~icons/ic/round-add'
import { Field } from '../../components/field.tsx'
import { ApiProblem } from '../../lib/http.ts'
import { useAddPhone } from './api.ts'

export const AddPhoneForm = () => {
  const [name, setName] = useState('')
  const [number, setNumber] = useState('')
  const add = useAddPhone()
  const problem = add.error instanceof ApiProblem ? add.error : null

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const clear = () => {
      setName('')
      setNumber('')
    }
    add.mutate({ name, number }, { onSuccess: clear })
  }

  return (
    <Box
      component="form"
      noValidate
      onSubmit={submit}
      aria-label="Novo telefone simulado"
      sx={{
        display: 'grid',
        gap: 3,
        alignItems: 'start',
        gridTemplateColumns: { md: 'minmax(0, 1fr) minmax(0, 1fr) auto' },
      }}
    >
      <Field
        label="De quem é"
        name="name"
        placeholder="Ex: Ana, cliente"
        autoComplete="off"
        value={name}
        onChange={setName}
        error={problem?.errorOf('name')}
      />
      <Field
        label="Número com DDD"
        name="number"
        inputMode="tel"
        placeholder="(11) 98765-4321"
        autoComplete="off"
        value={number}
        onChange={setNumber}
        error={problem?.errorOf('number')}
      />
      <Button
        type="submit"
        variant="contained"
        startIcon={<AddIcon />}
        disabled={add.isPending}
        sx={{ mt: { md: 6 }, minHeight: { md: 'var(--field-height)' } }}
      >
        Adicionar telefone
      </Button>
    </Box>
  )
}

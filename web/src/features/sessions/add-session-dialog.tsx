import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type SubmitEvent, useId, useState } from 'react'
import { Field } from '../../components/field.tsx'
import { ApiProblem } from '../../lib/http.ts'
import { useAddSession } from './api.ts'

const required = 'Nome da sessão é obrigatório'

export const AddSessionDialog = ({ onClose, onAdded }: { onClose: () => void; onAdded: (token: string) => void }) => {
  const [name, setName] = useState('')
  const [missing, setMissing] = useState(false)
  const titleId = useId()
  const add = useAddSession()
  const refused = add.error instanceof ApiProblem ? add.error.errorOf('name') : undefined

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const trimmed = name.trim()
    setMissing(trimmed === '')
    if (trimmed !== '' && !add.isPending) add.mutate(trimmed, { onSuccess: ({ token }) => onAdded(token) })
  }
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId}>Adicionar Sessão</DialogTitle>
      <form onSubmit={submit} noValidate>
        <DialogContent>
          <Field
            label="Nome da instância"
            name="name"
            placeholder="Ex: Loja do centro"
            help="Um nome para você reconhecer este número."
            maxLength={60}
            autoFocus
            autoComplete="off"
            value={name}
            onChange={(value) => {
              setName(value)
              setMissing(false)
            }}
            error={missing ? required : refused}
          />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" variant="contained" disabled={add.isPending}>
            Adicionar
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

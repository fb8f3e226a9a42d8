import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import type { ReactNode, SubmitEvent } from 'react'
import { Field } from '../../../components/field.tsx'

type Props = {
  name: string
  error: string | undefined
  pending: boolean
  /** What else may be chosen, below the name. */
  choice?: ReactNode
  onName: (name: string) => void
  onSubmit: () => void
  onCancel: () => void
}

/** First step: how the connection is called. */
export const ConnectionForm = ({ name, error, pending, choice, onName, onSubmit, onCancel }: Props) => {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (name.trim() !== '' && !pending) onSubmit()
  }
  return (
    <form onSubmit={submit} noValidate>
      <DialogContent sx={{ display: 'grid', gap: 3 }}>
        <Field
          label="Nome da conexão"
          name="name"
          placeholder="Ex: Loja do centro"
          help="Só você vê este nome. Ele diz de qual número veio cada conversa."
          maxLength={60}
          autoFocus
          autoComplete="off"
          value={name}
          onChange={onName}
          error={error}
        />
        {choice}
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onCancel}>
          Cancelar
        </Button>
        <Button type="submit" variant="contained" disabled={name.trim() === '' || pending}>
          Adicionar
        </Button>
      </DialogActions>
    </form>
  )
}

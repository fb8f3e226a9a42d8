import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Typography from '@mui/material/Typography'
import type { ReactNode, SubmitEvent } from 'react'
import { Link } from 'react-router-dom'
import { Field } from '../../../components/field.tsx'
import { paths } from '../../../lib/paths.ts'

type Props = {
  name: string
  error: string | undefined
  /** Set if only a larger plan allows another connection. */
  beyondPlan: string | undefined
  pending: boolean
  choice?: ReactNode
  onName: (name: string) => void
  onSubmit: () => void
  onCancel: () => void
}

export const ConnectionForm = ({ name, error, beyondPlan, pending, choice, onName, onSubmit, onCancel }: Props) => {
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
          help="Seus clientes não veem este nome. Ele diz por qual número vai cada conversa."
          maxLength={60}
          autoFocus
          autoComplete="off"
          value={name}
          onChange={onName}
          error={error}
        />
        {choice}
        {beyondPlan && (
          <Box role="alert" sx={{ display: 'grid', justifyItems: 'start', gap: 2 }}>
            <Typography sx={{ color: 'danger', textWrap: 'pretty' }}>{beyondPlan}</Typography>
            <Button component={Link} to={paths.billing} variant="outlined" size="small">
              Escolher um plano
            </Button>
          </Box>
        )}
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

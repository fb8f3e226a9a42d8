import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Field } from '../../../components/forms/field.tsx'
import type { BoundField, Form } from '../../../lib/forms/use-form.ts'
import { paths } from '../../../lib/paths.ts'

type Props = {
  form: Form & { bind: (field: 'name') => BoundField; values: { name: string } }
  /** Set if only a larger plan allows another connection. */
  beyondPlan: string | undefined
  choice?: ReactNode
  onCancel: () => void
}

export const ConnectionForm = ({ form, beyondPlan, choice, onCancel }: Props) => {
  return (
    <form onSubmit={form.submit} noValidate>
      <DialogContent sx={{ display: 'grid', gap: 3 }}>
        <Field
          label="Nome da conexão"
          placeholder="Ex: Loja do centro"
          help="Seus clientes não veem este nome. Ele diz por qual número vai cada conversa."
          maxLength={60}
          autoFocus
          autoComplete="off"
          {...form.bind('name')}
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
        <Button type="submit" variant="contained" disabled={form.values.name.trim() === '' || form.isPending}>
          Adicionar
        </Button>
      </DialogActions>
    </form>
  )
}

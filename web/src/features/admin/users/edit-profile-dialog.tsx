import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import type { ListedUser } from '@prosa/contracts/http/admin-lists'
import { type SubmitEvent, useId, useState } from 'react'
import { Field } from '../../../components/field.tsx'
import { FormSummary } from '../../../components/form-summary.tsx'
import { PasswordField } from '../../../components/password-field.tsx'
import { TextAreaField } from '../../../components/text-area-field.tsx'
import { focusFirstRefused } from '../../../lib/focus-first-refused.ts'
import { ApiProblem, sentenceOf } from '../../../lib/http.ts'
import { type ProfileChanges, useUpdateProfile } from './api.ts'

const fields = [
  { name: 'firstName', label: 'Nome' },
  { name: 'lastName', label: 'Sobrenome' },
  { name: 'email', label: 'Email', type: 'email' },
] as const

interface Props {
  user: ListedUser
  onClose: () => void
}

const EditForm = ({ user, onClose, titleId }: Props & { titleId: string }) => {
  const { firstName, lastName, email } = user
  const [form, setForm] = useState({ firstName, lastName, email, password: '' })
  const [reason, setReason] = useState('')
  const update = useUpdateProfile()
  const problem = update.error instanceof ApiProblem ? update.error : null
  const set = (field: keyof typeof form) => (value: string) => setForm((before) => ({ ...before, [field]: value }))

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const element = event.currentTarget
    // Empty fields stay unchanged.
    const filled = Object.entries(form).filter(([, value]) => value.trim() !== '')
    const changes: ProfileChanges = Object.fromEntries(filled)
    update.mutate(
      { id: user.id, changes, reason: reason.trim() || undefined },
      { onSuccess: onClose, onError: () => focusFirstRefused(element) },
    )
  }

  return (
    <form noValidate onSubmit={submit}>
      <DialogTitle id={titleId}>Editar perfil</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {fields.map(({ name, ...field }) => (
          <Field
            key={name}
            {...field}
            name={name}
            autoComplete="off"
            value={form[name]}
            onChange={set(name)}
            error={problem?.errorOf(name)}
          />
        ))}
        <PasswordField
          label="Nova senha"
          name="password"
          autoComplete="new-password"
          help="Em branco, a senha fica como está. Uma senha nova encerra as sessões do usuário e deve ser trocada na próxima entrada."
          value={form.password}
          onChange={set('password')}
          error={problem?.errorOf('password')}
        />
        <TextAreaField
          label="Motivo (opcional)"
          help="Fica no histórico do usuário, com seu nome e a hora."
          rows={2}
          maxLength={500}
          value={reason}
          onChange={setReason}
          error={problem?.errorOf('reason')}
        />
        <FormSummary
          sentence={update.isError ? sentenceOf(update.error, 'Falha ao atualizar perfil do usuário') : null}
        />
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          Cancelar
        </Button>
        <Button type="submit" variant="contained" disabled={update.isPending}>
          {update.isPending ? 'Salvando...' : 'Salvar alterações'}
        </Button>
      </DialogActions>
    </form>
  )
}

export const EditProfileDialog = ({ user, onClose }: Props) => {
  const titleId = useId()
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby={titleId}>
      <EditForm user={user} onClose={onClose} titleId={titleId} />
    </Dialog>
  )
}

import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { erasureReasonNames, erasureReasons } from '@prosa/contracts/values/erasure-reason'
import { type SubmitEvent, useRef, useState } from 'react'
import { ErasureWord, isErasureMeant } from '../../components/erasure-word.tsx'
import { FormSummary } from '../../components/form-summary.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { ApiProblem, sentenceOf } from '../../lib/http.ts'
import { useEraseAccount } from './api.ts'

const titleId = 'erase-account-title'
const reasons = [
  { value: '', label: 'Escolha um motivo' },
  ...erasureReasons.map((value) => ({ value, label: erasureReasonNames[value] })),
]

interface Props {
  email: string
  erasing: ReturnType<typeof useEraseAccount>
  onClose: () => void
}

const EraseForm = ({ email, erasing, onClose }: Props) => {
  const [password, setPassword] = useState('')
  const [chosen, setChosen] = useState('')
  const [typed, setTyped] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const problem = erasing.error instanceof ApiProblem ? erasing.error : null

  const reason = erasureReasons.find((each) => each === chosen)
  const canErase = password !== '' && reason !== undefined && isErasureMeant(typed) && !erasing.isPending

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!canErase) return
    erasing.mutate(
      { password, reason },
      { onError: () => form.current?.querySelector<HTMLInputElement>('input[name=password]')?.focus() },
    )
  }

  return (
    <form ref={form} noValidate onSubmit={submit}>
      <DialogTitle id={titleId}>Excluir sua conta?</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 4 }}>
        <Typography>
          A conta de <strong>{email}</strong> e tudo o que há nela serão apagados agora e para sempre. Nem nós
          conseguimos trazê-los de volta.
        </Typography>
        <SelectField label="Por que você vai embora?" value={chosen} onChange={setChosen} options={reasons} />
        <PasswordField
          label="Sua senha"
          name="password"
          autoComplete="current-password"
          help="Para sabermos que é você quem pede."
          value={password}
          onChange={setPassword}
          error={problem?.errorOf('password')}
        />
        <ErasureWord value={typed} onChange={setTyped} />
        <FormSummary
          sentence={
            erasing.isError && !problem?.errors.length
              ? sentenceOf(erasing.error, 'A conta não foi excluída. Tente de novo.')
              : null
          }
        />
        {erasing.isPending && <LinearProgress color="error" aria-label="Excluindo a conta" />}
      </DialogContent>
      <DialogActions>
        <Button color="inherit" disabled={erasing.isPending} onClick={onClose}>
          Cancelar
        </Button>
        <Button type="submit" variant="contained" color="error" disabled={!canErase}>
          {erasing.isPending ? 'Excluindo...' : 'Excluir para sempre'}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Needs a reason and the password; cannot be closed while erasing. */
export const EraseAccountDialog = ({ open, email, onClose }: { open: boolean; email: string; onClose: () => void }) => {
  const erasing = useEraseAccount()
  const close = () => {
    if (erasing.isPending) return
    erasing.reset()
    onClose()
  }
  return (
    <Dialog open={open} onClose={close} fullWidth maxWidth="xs" aria-labelledby={titleId}>
      <EraseForm email={email} erasing={erasing} onClose={close} />
    </Dialog>
  )
}

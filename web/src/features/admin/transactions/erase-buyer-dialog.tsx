import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { type SubmitEvent, useId, useState } from 'react'
import { ErasureActions } from '../../../components/erasure-actions.tsx'
import { ErasureWord, isErasureMeant } from '../../../components/erasure-word.tsx'
import { Field } from '../../../components/field.tsx'
import { FormSummary } from '../../../components/form-summary.tsx'
import { focusFirstRefused } from '../../../lib/focus-first-refused.ts'
import { ApiProblem, refusalOr } from '../../../lib/http.ts'
import { useEraseBuyer } from './api.ts'

/** For buyers without an account. */
export const EraseBuyerDialog = ({ onClose }: { onClose: () => void }) => {
  const [email, setEmail] = useState('')
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const erasing = useEraseBuyer()
  const name = useId()
  const problem = erasing.error instanceof ApiProblem ? erasing.error : null
  const isComplete = email.trim() !== '' && reason.trim() !== '' && isErasureMeant(typed)

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const onError = () => focusFirstRefused(form)
    if (isComplete) erasing.mutate({ email, reason, confirmation: typed }, { onSuccess: onClose, onError })
  }

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby={`${name}t`} aria-describedby={`${name}s`}>
      <form noValidate onSubmit={submit}>
        <DialogTitle id={`${name}t`}>Apagar um comprador</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 4 }}>
          <Typography id={`${name}s`}>
            Para quem comprou, ou deixou um carrinho, e não tem conta. Nome, e-mail, CPF e o conteúdo dos avisos da
            Kiwify com este e-mail serão apagados para sempre, e os que chegarem depois também. Valores e datas das
            compras ficam. Na Kiwify nada muda.
          </Typography>
          <Field
            label="E-mail do comprador"
            name="email"
            type="email"
            autoComplete="off"
            autoFocus
            value={email}
            onChange={setEmail}
            error={problem?.errorOf('email')}
          />
          <Field
            label="Motivo"
            name="reason"
            help="Fica no histórico. Não escreva nele quem é a pessoa."
            maxLength={500}
            autoComplete="off"
            value={reason}
            onChange={setReason}
            error={problem?.errorOf('reason')}
          />
          <ErasureWord value={typed} onChange={setTyped} />
          <FormSummary
            sentence={
              erasing.error && !problem?.errors.length
                ? refusalOr(erasing.error, 'Nada foi apagado. Tente novamente.')
                : null
            }
          />
        </DialogContent>
        <ErasureActions
          label="Apagar dados"
          pending="Apagando..."
          isPending={erasing.isPending}
          canErase={isComplete}
          onClose={onClose}
        />
      </form>
    </Dialog>
  )
}

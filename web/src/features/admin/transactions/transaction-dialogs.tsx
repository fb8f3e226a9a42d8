import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import type { AdminTransaction } from '@prosa/contracts/http/transactions'
import { type SubmitEvent, useId, useState } from 'react'
import { Field } from '../../../components/field.tsx'
import { focusFirstRefused } from '../../../lib/focus-first-refused.ts'
import { ApiProblem } from '../../../lib/http.ts'
import { useAssignTransaction, useDeleteTransaction } from './api.ts'
import { ReasonField } from './reason-field.tsx'

type Props = { transaction: AdminTransaction; onClose: () => void }

export const DeleteTransactionDialog = ({ transaction: { id, transactionId }, onClose }: Props) => {
  const [reason, setReason] = useState('')
  const remove = useDeleteTransaction()
  const name = useId()
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={`${name}t`} aria-describedby={`${name}s`}>
      <DialogTitle id={`${name}t`}>Excluir a transação {transactionId}?</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 4 }}>
        <DialogContentText id={`${name}s`} sx={{ color: 'text.secondary' }}>
          Ela sai das listas, também da lista de faturas do cliente, e da receita. O acesso do cliente não muda, e o
          histórico guarda o pedido.
        </DialogContentText>
        <ReasonField reason={reason} onReason={setReason} />
      </DialogContent>
      <DialogActions>
        <Button color="inherit" autoFocus onClick={onClose}>
          Cancelar
        </Button>
        <Button
          variant="contained"
          color="error"
          disabled={remove.isPending}
          onClick={() => remove.mutate({ id, reason }, { onSuccess: onClose })}
        >
          Excluir
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Access of this account begins, and that of the previous one ends. */
export const AssignTransactionDialog = ({ transaction, onClose }: Props) => {
  const { id, transactionId, owner, buyerName, buyerEmail } = transaction
  const [email, setEmail] = useState(owner ? '' : (buyerEmail ?? ''))
  const [reason, setReason] = useState('')
  const assign = useAssignTransaction()
  const name = useId()
  const problem = assign.error instanceof ApiProblem ? assign.error : null

  const isIncomplete = email.trim() === '' || (owner !== null && reason.trim() === '')

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    assign.mutate({ id, email, reason }, { onSuccess: onClose, onError: () => focusFirstRefused(form) })
  }

  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={`${name}t`} aria-describedby={`${name}s`}>
      <form noValidate onSubmit={submit}>
        <DialogTitle id={`${name}t`}>
          {owner ? `Passar a compra ${transactionId} a outra conta` : `Entregar a compra ${transactionId} a uma conta`}
        </DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 4 }}>
          <DialogContentText id={`${name}s`} sx={{ color: 'text.secondary' }}>
            {buyerName === null ? 'A Kiwify não informou quem comprou.' : `Quem comprou: ${buyerName}.`} A conta ganha o
            acesso que foi pago, e as renovações passam a ser dela.
            {owner && ` A conta de ${owner.name ?? '[apagado]'} perde esse acesso.`}
          </DialogContentText>
          <Field
            label="E-mail da conta"
            name="email"
            type="email"
            autoComplete="off"
            autoFocus
            value={email}
            onChange={setEmail}
            error={problem?.errorOf('email')}
          />
          <ReasonField
            reason={reason}
            onReason={setReason}
            error={problem?.errorOf('reason')}
            {...(owner && { help: 'Fica no histórico das duas contas.' })}
          />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" variant="contained" disabled={isIncomplete || assign.isPending}>
            {owner ? 'Passar à conta' : 'Entregar'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

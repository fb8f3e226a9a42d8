import type { AdminTransaction } from '@prosa/contracts/http/accounts/transactions'
import { useState } from 'react'
import { Field } from '../../../components/forms/field.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { useForm } from '../../../lib/forms/use-form.ts'
import { ReasonDialog } from '../reason-dialog.tsx'
import { ReasonField } from '../reason-field.tsx'
import { useAssignTransaction, useDeleteTransaction, useRestoreTransaction } from './api.ts'

type Props = { transaction: AdminTransaction; onClose: () => void }

const optional = 'Opcional. Fica no histórico da transação.'

export const DeleteTransactionDialog = ({ transaction: { id, transactionId }, onClose }: Props) => (
  <ReasonDialog
    title={`Excluir a transação ${transactionId}?`}
    sentence="Ela sai das listas, também da lista de faturas do cliente, e da receita. O acesso do cliente não muda; em ‘Ocultas’ ela pode voltar."
    confirm="Excluir"
    destructive
    field={{ label: 'Motivo', help: optional }}
    command={useDeleteTransaction(id)}
    onClose={onClose}
  />
)

export const RestoreTransactionDialog = ({ transaction: { id, transactionId }, onClose }: Props) => (
  <ReasonDialog
    title={`Trazer de volta a transação ${transactionId}?`}
    sentence="Ela volta às listas, também à lista de faturas do cliente, e à receita. O acesso do cliente não muda."
    confirm="Trazer de volta"
    needsReason
    command={useRestoreTransaction(id)}
    onClose={onClose}
  />
)

/** Access of this account begins, and that of the previous one ends. */
export const AssignTransactionDialog = ({ transaction, onClose }: Props) => {
  const { id, transactionId, owner: account, buyerName, buyerEmail } = transaction
  const form = useForm(useState({ email: account ? '' : (buyerEmail ?? ''), reason: '' }), {
    command: useAssignTransaction(),
    toInput: (values) => ({ id, ...values }),
    onDone: onClose,
  })
  const { email, reason } = form.values
  return (
    <FormDialog
      title={
        account ? `Passar a compra ${transactionId} a outra conta` : `Entregar a compra ${transactionId} a uma conta`
      }
      description={
        <>
          {buyerName === null ? 'A Kiwify não informou quem comprou.' : `Quem comprou: ${buyerName}.`} A conta ganha o
          acesso que foi pago, e as renovações passam a ser dela.
          {account && ` A conta de ${account.name ?? '[apagado]'} perde esse acesso.`}
        </>
      }
      form={form}
      submit={account ? 'Passar à conta' : 'Entregar'}
      canSubmit={email.trim() !== '' && (account === null || reason.trim() !== '')}
      onClose={onClose}
    >
      <Field label="E-mail da conta" type="email" autoComplete="off" autoFocus {...form.bind('email')} />
      <ReasonField help={account ? 'Fica no histórico das duas contas.' : optional} {...form.bind('reason')} />
    </FormDialog>
  )
}

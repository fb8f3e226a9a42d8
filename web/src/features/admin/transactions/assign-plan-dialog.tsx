import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import Skeleton from '@mui/material/Skeleton'
import type { AdminTransaction } from '@prosa/contracts/http/transactions'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useId, useState } from 'react'
import { FormSummary } from '../../../components/form-summary.tsx'
import { SelectField } from '../../../components/select-field.tsx'
import { sentenceOf } from '../../../lib/http.ts'
import { offeredPlansQuery, useAssignPlan } from './api.ts'
import { ReasonField } from './reason-field.tsx'

/** For a purchase whose product matches no plan: access begins then. */
export const AssignPlanDialog = ({
  transaction: { id, transactionId, productName, owner },
  onClose,
}: {
  transaction: AdminTransaction
  onClose: () => void
}) => {
  const { data: plans, error, isPending } = useQuery(offeredPlansQuery)
  const [chosen, setChosen] = useState('')
  const [reason, setReason] = useState('')
  const assign = useAssignPlan()
  const name = useId()
  const planId = chosen || (plans?.[0]?.id ?? '')

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    assign.mutate({ id, planId, reason: reason.trim() }, { onSuccess: onClose })
  }

  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={`${name}t`} aria-describedby={`${name}s`}>
      <form noValidate onSubmit={submit}>
        <DialogTitle id={`${name}t`}>De qual plano é a compra {transactionId}?</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 4 }}>
          <DialogContentText id={`${name}s`} sx={{ color: 'text.secondary' }}>
            {productName === null ? 'A Kiwify não informou o produto.' : `Nenhum plano tem o produto “${productName}”.`}{' '}
            {owner ? `A conta de ${owner.name ?? '[apagado]'} ganha` : 'Quem for dono da compra ganha'} o acesso do
            plano, e as renovações desta assinatura o seguem. Para as próximas vendas do produto, ponha o ID dele em um
            plano.
          </DialogContentText>
          {isPending && <Skeleton variant="rounded" sx={{ height: 'var(--field-height)' }} />}
          {plans && plans.length > 0 && (
            <SelectField
              label="Plano"
              value={planId}
              onChange={setChosen}
              options={plans.map((plan) => ({
                value: plan.id,
                label: `${plan.planName} (${plan.accessDays} ${plan.accessDays === 1 ? 'dia' : 'dias'})`,
              }))}
            />
          )}
          <FormSummary
            sentence={
              error
                ? sentenceOf(error, 'Os planos não puderam ser lidos. Feche e tente de novo.')
                : plans?.length === 0
                  ? 'Nenhum plano à venda: crie um na aba Planos.'
                  : null
            }
          />
          <ReasonField reason={reason} onReason={setReason} help="Fica no histórico da compra e da conta." />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            Cancelar
          </Button>
          <Button
            type="submit"
            variant="contained"
            disabled={planId === '' || reason.trim() === '' || assign.isPending}
          >
            Escolher
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

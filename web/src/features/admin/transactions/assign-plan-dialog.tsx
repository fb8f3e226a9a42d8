import Skeleton from '@mui/material/Skeleton'
import type { AdminTransaction } from '@prosa/contracts/http/accounts/transactions'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { FormSummary } from '../../../components/forms/form-summary.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { useForm } from '../../../lib/forms/use-form.ts'
import { sentenceOf } from '../../../lib/http/http.ts'
import { ReasonField } from '../reason-field.tsx'
import { offeredPlansQuery, useAssignPlan } from './api.ts'

/** For a purchase whose product matches no plan: access begins then. */
export const AssignPlanDialog = ({
  transaction: { id, transactionId, productName, owner: account },
  onClose,
}: {
  transaction: AdminTransaction
  onClose: () => void
}) => {
  const { data: plans, error, isPending } = useQuery(offeredPlansQuery)
  const planOf = (chosen: string) => chosen || (plans?.[0]?.id ?? '')
  const form = useForm(useState({ chosen: '', reason: '' }), {
    command: useAssignPlan(),
    toInput: ({ chosen, reason }) => ({ id, planId: planOf(chosen), reason: reason.trim() }),
    onDone: onClose,
  })
  const planId = planOf(form.values.chosen)
  return (
    <FormDialog
      title={`De qual plano é a compra ${transactionId}?`}
      description={
        <>
          {productName === null ? 'A Kiwify não informou o produto.' : `Nenhum plano tem o produto “${productName}”.`}{' '}
          {account ? `A conta de ${account.name ?? '[apagado]'} ganha` : 'Quem for dono da compra ganha'} o acesso do
          plano, e as renovações desta assinatura o seguem. Para as próximas vendas do produto, ponha o ID dele em um
          plano.
        </>
      }
      form={form}
      submit="Escolher"
      canSubmit={planId !== '' && form.values.reason.trim() !== ''}
      onClose={onClose}
    >
      {isPending && <Skeleton variant="rounded" sx={{ height: 'var(--field-height)' }} />}
      {plans && plans.length > 0 && (
        <SelectField
          label="Plano"
          value={planId}
          onChange={(chosen) => form.set({ chosen })}
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
      <ReasonField help="Fica no histórico da compra e da conta." {...form.bind('reason')} />
    </FormDialog>
  )
}

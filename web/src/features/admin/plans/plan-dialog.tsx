import type { Plan } from '@prosa/contracts/http/accounts/plans'
import { useState } from 'react'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { useToast } from '../../../lib/toast.ts'
import { useForm } from '../../../lib/use-form.ts'
import { useCreatePlan, useRevisePlan } from './api.ts'
import { type PlanDraft, PlanForm, required, requiredFields } from './plan-form.tsx'

const draftOf = (plan: Plan | undefined): PlanDraft => ({
  planId: plan?.planId ?? '',
  planName: plan?.planName ?? '',
  productId: plan?.productId ?? '',
  productName: plan?.productName ?? '',
  accessDays: plan ? String(plan.accessDays) : '',
  price: plan?.price ?? '',
  description: plan?.description ?? '',
  purchaseUrl: plan?.purchaseUrl ?? '',
  reason: '',
})

interface Props {
  title: string
  submitLabel: string
  plan?: Plan
  command: ReturnType<typeof useCreatePlan>
  onClose: () => void
}

const missing = (draft: PlanDraft) =>
  Object.fromEntries(
    requiredFields.filter((field) => draft[field].trim() === '').map((field) => [field, 'Preencha este campo.']),
  )

const PlanDialog = ({ title, submitLabel, plan, command, onClose }: Props) => {
  const toast = useToast()
  const form = useForm(
    useState(() => draftOf(plan)),
    {
      command,
      toInput: (draft) => draft,
      check: missing,
      onRefused: () => toast({ title: 'Erro', description: required, kind: 'error' }),
      onDone: onClose,
    },
  )
  return (
    <FormDialog title={title} maxWidth="sm" form={form} submit={submitLabel} onClose={onClose}>
      <PlanForm isNew={!plan} bind={form.bind} />
    </FormDialog>
  )
}

export const NewPlanDialog = ({ onClose }: { onClose: () => void }) => (
  <PlanDialog title="Novo plano" submitLabel="Criar" command={useCreatePlan()} onClose={onClose} />
)

export const EditPlanDialog = ({ plan, onClose }: { plan: Plan; onClose: () => void }) => (
  <PlanDialog
    title="Editar plano"
    submitLabel="Salvar"
    plan={plan}
    command={useRevisePlan(plan.id)}
    onClose={onClose}
  />
)

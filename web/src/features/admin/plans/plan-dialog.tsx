import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import type { Plan } from '@prosa/contracts/http/plans'
import { type SubmitEvent, useId, useState } from 'react'
import { focusFirstRefused } from '../../../lib/focus-first-refused.ts'
import { ApiProblem } from '../../../lib/http.ts'
import { useToast } from '../../../lib/toast.tsx'
import { useCreatePlan, useRevisePlan } from './api.ts'
import { isIncomplete, type PlanDraft, PlanForm, required, requiredFields } from './plan-form.tsx'

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
  save: ReturnType<typeof useCreatePlan>
  onClose: () => void
}

const PlanDialog = ({ title, submitLabel, plan, save, onClose }: Props) => {
  const [before] = useState(() => draftOf(plan))
  const [draft, setDraft] = useState(before)
  const [tried, setTried] = useState(false)
  const titleId = useId()
  const toast = useToast()
  const { mutate, error, isPending, reset } = save

  const isChanged = JSON.stringify(draft) !== JSON.stringify(before)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    const form = event.currentTarget
    setTried(true)
    if (isIncomplete(draft)) {
      toast({ title: 'Erro', description: required, kind: 'error' })
      return focusFirstRefused(form)
    }
    mutate(draft, { onSuccess: onClose, onError: () => focusFirstRefused(form) })
  }
  const errorOf = (field: keyof PlanDraft) => {
    const isMissing = tried && requiredFields.some((each) => each === field) && draft[field].trim() === ''
    if (isMissing) return 'Preencha este campo.'
    return error instanceof ApiProblem ? error.errorOf(field) : undefined
  }

  return (
    <Dialog
      open
      // A click on the backdrop must not discard input.
      onClose={(_event, reason) => (reason === 'backdropClick' && isChanged ? undefined : onClose())}
      maxWidth="sm"
      fullWidth
      aria-labelledby={titleId}
    >
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <form onSubmit={submit} noValidate style={{ display: 'contents' }}>
        <DialogContent sx={{ display: 'grid', gap: 4 }}>
          <PlanForm
            draft={draft}
            isNew={!plan}
            onWrite={(change) => {
              setDraft((written) => ({ ...written, ...change }))
              if (error) reset()
            }}
            errorOf={errorOf}
          />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" variant="contained" disabled={isPending}>
            {submitLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

export const NewPlanDialog = ({ onClose }: { onClose: () => void }) => (
  <PlanDialog title="Novo plano" submitLabel="Criar" save={useCreatePlan()} onClose={onClose} />
)

export const EditPlanDialog = ({ plan, onClose }: { plan: Plan; onClose: () => void }) => (
  <PlanDialog title="Editar plano" submitLabel="Salvar" plan={plan} save={useRevisePlan(plan.id)} onClose={onClose} />
)

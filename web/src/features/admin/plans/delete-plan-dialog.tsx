import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import type { Plan } from '@prosa/contracts/http/plans'
import { useId, useState } from 'react'
import { Field } from '../../../components/field.tsx'
import { useDeletePlan } from './api.ts'

export const DeletePlanDialog = ({ plan, onClose }: { plan: Plan; onClose: () => void }) => {
  const [reason, setReason] = useState('')
  const remove = useDeletePlan(plan.id)
  const id = useId()
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={`${id}t`} aria-describedby={`${id}s`}>
      <DialogTitle id={`${id}t`}>Excluir o plano {plan.planName}?</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 4 }}>
        <DialogContentText id={`${id}s`} sx={{ color: 'text.secondary' }}>
          Ele some da página inicial e do faturamento. Quem já comprou continua com acesso, e as renovações na Kiwify
          continuam valendo {plan.accessDays === 1 ? '1 dia' : `${plan.accessDays} dias`}.
        </DialogContentText>
        <Field
          label="Motivo"
          name="reason"
          help="Opcional. Fica no histórico do plano."
          maxLength={500}
          autoComplete="off"
          value={reason}
          onChange={setReason}
        />
      </DialogContent>
      <DialogActions>
        <Button color="inherit" autoFocus onClick={onClose}>
          Cancelar
        </Button>
        <Button
          variant="contained"
          color="error"
          disabled={remove.isPending}
          onClick={() => remove.mutate(reason, { onSuccess: onClose })}
        >
          Excluir
        </Button>
      </DialogActions>
    </Dialog>
  )
}

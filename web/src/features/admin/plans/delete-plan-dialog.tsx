import type { Plan } from '@prosa/contracts/http/plans'
import { ReasonDialog } from '../reason-dialog.tsx'
import { useDeletePlan } from './api.ts'

export const DeletePlanDialog = ({ plan, onClose }: { plan: Plan; onClose: () => void }) => (
  <ReasonDialog
    title={`Excluir o plano ${plan.planName}?`}
    sentence={`Ele some da página inicial e do faturamento. Quem já comprou continua com acesso, e as renovações na Kiwify continuam valendo ${plan.accessDays === 1 ? '1 dia' : `${plan.accessDays} dias`}.`}
    confirm="Excluir"
    destructive
    field={{ label: 'Motivo', help: 'Opcional. Fica no histórico do plano.' }}
    command={useDeletePlan(plan.id)}
    onClose={onClose}
  />
)

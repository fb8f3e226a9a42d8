import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { Plan } from '@prosa/contracts/http/accounts/plans'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import AddIcon from '~icons/ic/round-add'
import DeleteIcon from '~icons/ic/round-delete-outline'
import EditIcon from '~icons/ic/round-edit'
import WhatIfIcon from '~icons/ic/round-help-outline'
import OfferIcon from '~icons/ic/round-sell'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { type Column, DataTable } from '../../../components/tables/data-table.tsx'
import { WhyButton } from '../../../components/why/why-button.tsx'
import { plural } from '../../../lib/format/format.ts'
import type { PagedList } from '../../../lib/http/use-paged-list.ts'
import { AdminSection } from '../admin-section.tsx'
import { useHistoryDrawer } from '../history/use-history-drawer.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'
import { plansQuery, useDeletePlan } from './api.ts'
import { EditPlanDialog, NewPlanDialog } from './plan-dialog.tsx'
import { PlanWhatIf } from './plan-what-if.tsx'
import { WebhookAddresses } from './webhook-addresses.tsx'

const DeletePlanDialog = ({ plan, onClose }: { plan: Plan; onClose: () => void }) => (
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

/** One box, because a cell of a narrow table lays its children side by side. */
const Named = ({ name, id }: { name: string; id: string }) => (
  <Box component="span" sx={{ display: 'block', minWidth: 0 }}>
    {name}
    <Typography
      variant="caption"
      component="span"
      sx={{ display: 'block', color: 'text.secondary', overflowWrap: 'anywhere' }}
    >
      {id}
    </Typography>
  </Box>
)

const PurchaseLink = ({ purchaseUrl, planName }: Pick<Plan, 'purchaseUrl' | 'planName'>) =>
  purchaseUrl ? (
    <a
      href={purchaseUrl}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`Abrir o link de compra de ${planName}`}
    >
      Abrir
    </a>
  ) : (
    <Named name="Sem link" id="Pedidos chegam em Suporte" />
  )

const columns: readonly Column<Plan>[] = [
  { title: 'Plano', cell: ({ planName, planId }) => <Named name={planName} id={planId} /> },
  { title: 'Produto na Kiwify', cell: ({ productName, productId }) => <Named name={productName} id={productId} /> },
  {
    title: 'Acesso',
    numeric: true,
    cell: ({ id, planName, accessDays }) => (
      <>
        {plural(accessDays, 'dia', 'dias')}
        <WhyButton asAdmin of={{ kind: 'plan', id, field: 'accessDays' }} what={`Acesso de ${planName}`} />
      </>
    ),
  },
  {
    title: 'Preço',
    numeric: true,
    cell: ({ id, planName, price }) => (
      <>
        {price}
        <WhyButton asAdmin of={{ kind: 'plan', id, field: 'price' }} what={`Preço de ${planName}`} />
      </>
    ),
  },
  { title: 'Compra', secondary: true, cell: PurchaseLink },
]

/** The server returns all plans at once. */
const useAllPlans = (): PagedList<Plan> => {
  const { data, error, refetch } = useQuery(plansQuery)
  return {
    rows: data,
    error,
    retry: () => void refetch(),
    hasMore: false,
    loadingMore: false,
    loadMore: () => undefined,
  }
}

type Open = { dialog: 'new' } | { dialog: 'what-if' } | { dialog: 'edit' | 'delete'; plan: Plan } | null

const Dialogs = ({ open, plans, onClose }: { open: Open; plans: readonly Plan[]; onClose: () => void }) => {
  if (open === null) return null
  if (open.dialog === 'what-if') return <PlanWhatIf plans={plans} onClose={onClose} />
  if (open.dialog === 'new') return <NewPlanDialog onClose={onClose} />
  if (open.dialog === 'edit') return <EditPlanDialog plan={open.plan} onClose={onClose} />
  return <DeletePlanDialog plan={open.plan} onClose={onClose} />
}

export const PlansTab = () => {
  const [open, setOpen] = useState<Open>(null)
  const list = useAllPlans()
  const add = (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setOpen({ dialog: 'new' })}>
      Novo plano
    </Button>
  )
  const isEmpty = list.rows?.length === 0
  const { historyAction, historyDrawer } = useHistoryDrawer()
  return (
    <Box sx={{ display: 'grid', gap: 8, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <AdminSection
        title="Planos à venda"
        sentence="Nesta ordem, na página inicial e no faturamento. O primeiro leva o destaque ‘Mais Popular’."
        action={
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            {!isEmpty && add}
            {list.rows && (
              <Button variant="outlined" startIcon={<WhatIfIcon />} onClick={() => setOpen({ dialog: 'what-if' })}>
                E se?
              </Button>
            )}
          </Box>
        }
      >
        <DataTable
          label="Planos"
          columns={columns}
          list={list}
          rowKey={({ id }) => id}
          rowName={({ planName }) => planName}
          actions={(plan) => [
            { label: 'Editar', icon: <EditIcon />, onPress: () => setOpen({ dialog: 'edit', plan }) },
            historyAction({ kind: 'plan', id: plan.id, name: plan.planName }),
            {
              label: 'Excluir',
              icon: <DeleteIcon />,
              destructive: true,
              onPress: () => setOpen({ dialog: 'delete', plan }),
            },
          ]}
          empty={
            <EmptyState
              icon={<OfferIcon />}
              title="Nenhum plano à venda"
              sentence="Crie um com o ID do produto na Kiwify: ele aparece na página inicial, e as compras do produto valem os seus dias."
              action={add}
            />
          }
        />
      </AdminSection>
      <WebhookAddresses />
      {historyDrawer}
      <Dialogs open={open} plans={list.rows ?? []} onClose={() => setOpen(null)} />
    </Box>
  )
}

import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { OfferedPlan } from '@prosa/contracts/http/accounts/plans'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import OpenIcon from '~icons/ic/round-open-in-new'
import SellIcon from '~icons/ic/round-sell'
import { CardGrid, CardGridSkeleton, GridCard } from '../../components/layout/card-grid.tsx'
import { EmptyState } from '../../components/layout/empty-state.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { NotReadPanel } from '../../components/notices/not-read-panel.tsx'
import { supportAbout } from '../../lib/account/support-address.ts'
import { plural } from '../../lib/format/format.ts'
import { offeredPlansQuery } from './api.ts'

const subject = 'Assinar um plano'

const askingFor = ({ planName, price, accessDays }: OfferedPlan) => ({
  subject,
  message: `Quero assinar o plano ${planName} (${price}, ${plural(accessDays, 'dia', 'dias')}). Como faço para pagar?`,
})

const PlanCard = ({ plan }: { plan: OfferedPlan }) => {
  const { planName, price, accessDays, description, purchaseUrl } = plan
  const heading = useId()
  return (
    <GridCard labelledBy={heading}>
      <Typography variant="h2" id={heading}>
        {planName}
      </Typography>
      <Box>
        <Typography component="span" variant="h2">
          {price}
        </Typography>{' '}
        <Typography component="span" sx={{ color: 'text.secondary' }}>
          /{accessDays} dias
        </Typography>
      </Box>
      {description && <Typography sx={{ color: 'text.secondary', textWrap: 'pretty' }}>{description}</Typography>}
      {purchaseUrl ? (
        <Button
          component="a"
          href={purchaseUrl}
          target="_blank"
          rel="noopener"
          variant="contained"
          endIcon={<OpenIcon />}
          aria-label={`Assinar ${planName}, abre em outra aba`}
          sx={{ mt: 'auto' }}
        >
          Assinar
        </Button>
      ) : (
        <>
          <Typography sx={{ mt: 'auto', color: 'text.secondary', textWrap: 'pretty' }}>
            Este plano se combina com quem vende o Prosa: peça aqui, e a resposta, com a forma de pagar, vai para o
            e-mail da sua conta.
          </Typography>
          <Button
            component={Link}
            to={supportAbout(askingFor(plan))}
            variant="outlined"
            aria-label={`Pedir ${planName}`}
          >
            Pedir este plano
          </Button>
        </>
      )}
    </GridCard>
  )
}

/** The links carry the account, so that a purchase belongs to it whatever e-mail pays. */
export const OfferedPlansTab = () => {
  const { data: plans, error, isPending, refetch } = useQuery(offeredPlansQuery)
  if (isPending) return <CardGridSkeleton cards={3} />
  if (!plans)
    return <NotReadPanel title="Os planos não puderam ser lidos" error={error} onRetry={() => void refetch()} />
  if (plans.length === 0)
    return (
      <Panel>
        <EmptyState
          icon={<SellIcon />}
          title="Nenhum plano à venda no momento"
          sentence="Escreva para quem vende o Prosa: a resposta vai para o e-mail da sua conta."
          action={
            <Button
              component={Link}
              to={supportAbout({ subject, message: 'Quero assinar um plano. Quais há, e como faço para pagar?' })}
              variant="outlined"
            >
              Perguntar pelos planos
            </Button>
          }
        />
      </Panel>
    )
  return (
    <CardGrid>
      {plans.map((plan) => (
        <PlanCard key={plan.id} plan={plan} />
      ))}
    </CardGrid>
  )
}

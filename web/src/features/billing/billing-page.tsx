import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { User } from '@prosa/contracts/http/accounts/auth'
import type { ComponentType } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import BackIcon from '~icons/ic/round-arrow-back'
import { AddressTabs } from '../../components/address-tabs.tsx'
import { ConfirmEmailNotice } from '../../components/confirm-email-notice.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useCurrentUser } from '../../lib/current-user.ts'
import { type BillingTab, billingTab, billingTabs, paths } from '../../lib/paths.ts'
import { CurrentPlanTab } from './current-plan-tab.tsx'
import { InvoicesTab } from './invoices-tab.tsx'
import { OfferedPlansTab } from './offered-plans-tab.tsx'

const tabs: Record<BillingTab, { label: string; Content: ComponentType<{ user: User }> }> = {
  plano: { label: 'Plano Atual', Content: CurrentPlanTab },
  planos: { label: 'Planos', Content: OfferedPlansTab },
  faturas: { label: 'Faturas', Content: InvoicesTab },
}

/** Faturamento. No request before it is known who is signed in. */
export const BillingPage = () => {
  const user = useCurrentUser()
  const [searchParams] = useSearchParams()
  const current = billingTabs.find((tab) => tab === searchParams.get('aba')) ?? 'plano'
  if (!user) return <Spinner />
  const { Content } = tabs[current]
  return (
    <PageFrame>
      <Box>
        <Button component={Link} to={paths.home} color="inherit" startIcon={<BackIcon />} sx={{ ml: -2, mb: 2 }}>
          Voltar
        </Button>
        <PageHeading title="Faturamento" />
      </Box>
      <ConfirmEmailNotice />
      <AddressTabs
        label="Faturamento"
        tabs={billingTabs.map((name) => ({ name, label: tabs[name].label, to: billingTab(name) }))}
        current={current}
      >
        <Content user={user} />
      </AddressTabs>
    </PageFrame>
  )
}

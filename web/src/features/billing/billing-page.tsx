import Box from '@mui/material/Box'
import type { User } from '@prosa/contracts/http/accounts/auth'
import type { ComponentType } from 'react'
import { useSearchParams } from 'react-router-dom'
import { AddressTabs } from '../../components/layout/address-tabs.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { BackLink, PageHeading } from '../../components/layout/page-heading.tsx'
import { ConfirmEmailNotice } from '../../components/notices/confirm-email-notice.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useCurrentUser } from '../../lib/account/current-user.ts'
import { type BillingTab, billingTab, billingTabs } from '../../lib/paths.ts'
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
        <BackLink />
        <PageHeading title="Faturamento" />
      </Box>
      <ConfirmEmailNotice about="purchases" />
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

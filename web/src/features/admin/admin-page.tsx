import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import BackIcon from '~icons/ic/round-arrow-back'
import LockIcon from '~icons/ic/round-lock'
import { AddressTabs } from '../../components/layout/address-tabs.tsx'
import { EmptyState } from '../../components/layout/empty-state.tsx'
import { lazyPart } from '../../components/layout/lazy-part.tsx'
import { LoadingScreen } from '../../components/layout/loading-screen.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { BackLink, PageHeading } from '../../components/layout/page-heading.tsx'
import { useCurrentUser } from '../../lib/account/current-user.ts'
import { useScreenTitle } from '../../lib/browser/tab-title.ts'
import { notePosition } from '../../lib/http/http.ts'
import { type AdminTab, adminTab, adminTabs, paths } from '../../lib/paths.ts'
import { readAgain } from '../../lib/realtime/merged-readings.ts'
import { useSocketEvent } from '../../lib/realtime/socket.tsx'
import { PurposeHost } from './purpose/purpose-host.tsx'
import { CurvesDisclosure, SummaryCards } from './summary/summary-cards.tsx'

/** A push of any tenant invalidates all lists: cards and timelines depend on several areas, and unchanged ones are answered 304. */
const useAdminPushes = (): void => {
  const queries = useQueryClient()
  useSocketEvent('admin:update', ({ position }) => {
    notePosition(position)
    readAgain(queries, ['admin'])
  })
}

const loading = <LoadingScreen />

/** Each tab is loaded when it is opened. */
const tabs: Record<AdminTab, { label: string; Content: ComponentType }> = {
  usuarios: {
    label: 'Usuários',
    Content: lazyPart(async () => (await import('./users/users-tab.tsx')).UsersTab, loading),
  },
  contatos: {
    label: 'Contatos',
    Content: lazyPart(async () => (await import('./contacts/contacts-tab.tsx')).ContactsTab, loading),
  },
  mensagens: {
    label: 'Mensagens',
    Content: lazyPart(async () => (await import('./messages/messages-tab.tsx')).MessagesTab, loading),
  },
  projetos: {
    label: 'Projetos',
    Content: lazyPart(async () => (await import('./projects/projects-tab.tsx')).ProjectsTab, loading),
  },
  transacoes: {
    label: 'Transações',
    Content: lazyPart(async () => (await import('./transactions/transactions-tab.tsx')).TransactionsTab, loading),
  },
  planos: {
    label: 'Planos',
    Content: lazyPart(async () => (await import('./plans/plans-tab.tsx')).PlansTab, loading),
  },
  webhook: {
    label: 'Webhook',
    Content: lazyPart(async () => (await import('./webhook/webhook-tab.tsx')).WebhookTab, loading),
  },
  historico: {
    label: 'Histórico',
    Content: lazyPart(async () => (await import('./history/history-tab.tsx')).HistoryTab, loading),
  },
  manutencao: {
    label: 'Manutenção',
    Content: lazyPart(async () => (await import('./maintenance/maintenance-tab.tsx')).MaintenanceTab, loading),
  },
  suporte: {
    label: 'Suporte',
    Content: lazyPart(async () => (await import('./support/support-tab.tsx')).SupportTab, loading),
  },
}

const AccessDenied = () => {
  useScreenTitle('Acesso Negado')
  return (
    <EmptyState
      icon={<LockIcon />}
      title="Acesso Negado"
      sentence="Você não tem permissão para acessar esta página."
      action={
        <Button component={Link} to={paths.home} variant="contained" startIcon={<BackIcon />}>
          Voltar
        </Button>
      }
    />
  )
}

const Panel = () => {
  useAdminPushes()
  const [searchParams] = useSearchParams()
  const current = adminTabs.find((tab) => tab === searchParams.get('aba')) ?? 'usuarios'
  const { label, Content } = tabs[current]
  return (
    <PageFrame wide>
      <Box>
        <BackLink />
        <PageHeading title="Painel Administrativo" tab={`${label} · Administração`} />
      </Box>
      <SummaryCards />
      <CurvesDisclosure />
      <PurposeHost tab={current} />
      <AddressTabs
        label="Áreas da administração"
        tabs={adminTabs.map((name) => ({ name, label: tabs[name].label, to: adminTab(name) }))}
        current={current}
        scrollable
      >
        <Content key={current} />
      </AddressTabs>
    </PageFrame>
  )
}

/** The server authorizes what each tab reads. */
export const AdminPage = () => {
  const user = useCurrentUser()
  if (!user) return <LoadingScreen />
  return user.roles.includes('admin') ? <Panel /> : <AccessDenied />
}

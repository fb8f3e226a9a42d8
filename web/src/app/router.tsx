import type { User } from '@prosa/contracts/http/accounts/auth'
import { useIsMutating, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useSyncExternalStore } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router-dom'
import { LoadingScreen } from '../components/layout/loading-screen.tsx'
import { ConnectionTrouble } from '../components/notices/connection-trouble.tsx'
import { erasingAccount } from '../lib/account/account-erased.ts'
import { currentUserQuery } from '../lib/account/current-user.ts'
import { seesOnlyData } from '../lib/account/sees-only-data.ts'
import { accountOfPersonalStorage, subscribeToAccount } from '../lib/browser/personal-storage.ts'
import { isAppPath, paths, simulatorPath } from '../lib/paths.ts'
import { ScreenBoundary } from './screen-boundary.tsx'

const LandingScreen = lazy(async () => ({
  default: (await import('../features/landing/landing-screen.tsx')).LandingScreen,
}))
const LoginPage = lazy(async () => ({ default: (await import('../features/welcome/login-page.tsx')).LoginPage }))
const RegisterPage = lazy(async () => ({
  default: (await import('../features/welcome/register-page.tsx')).RegisterPage,
}))
const ResetPasswordPage = lazy(async () => ({
  default: (await import('../features/welcome/reset-password-page.tsx')).ResetPasswordPage,
}))
const ConfirmEmailPage = lazy(async () => ({
  default: (await import('../features/welcome/confirm-email-page.tsx')).ConfirmEmailPage,
}))
const NewPasswordPage = lazy(async () => ({
  default: (await import('../features/welcome/new-password-page.tsx')).NewPasswordPage,
}))
const AppShell = lazy(async () => ({ default: (await import('./app-shell.tsx')).AppShell }))
const AnalystRoutes = lazy(async () => ({ default: (await import('./analyst-routes.tsx')).AnalystRoutes }))
const DashboardPage = lazy(async () => ({
  default: (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage,
}))
const SettingsPage = lazy(async () => ({
  default: (await import('../features/settings/settings-page.tsx')).SettingsPage,
}))
const ProfilePage = lazy(async () => ({
  default: (await import('../features/profile/profile-page.tsx')).ProfilePage,
}))
const SessionsPage = lazy(async () => ({
  default: (await import('../features/sessions/sessions-page.tsx')).SessionsPage,
}))
const BillingPage = lazy(async () => ({
  default: (await import('../features/billing/billing-page.tsx')).BillingPage,
}))
const HelpPage = lazy(async () => ({ default: (await import('../features/help/help-page.tsx')).HelpPage }))
const FlowEditorPage = lazy(async () => ({
  default: (await import('../features/flow-editor/flow-editor-page.tsx')).FlowEditorPage,
}))
const AdminPage = lazy(async () => ({ default: (await import('../features/admin/admin-page.tsx')).AdminPage }))
const LiveChatScreen = lazy(async () => ({
  default: (await import('../features/live-chat/live-chat-page.tsx')).LiveChatScreen,
}))
const ConversationFlowsPage = lazy(async () => ({
  default: (await import('../features/conversation-flows/conversation-flows-page.tsx')).ConversationFlowsPage,
}))
const AutomationBuilderPage = lazy(async () => ({
  default: (await import('../features/conversation-flows/automation-builder-page.tsx')).AutomationBuilderPage,
}))
const LiveChatAlerts = lazy(async () => ({
  default: (await import('../features/live-chat/alerts/live-chat-alerts.tsx')).LiveChatAlerts,
}))
const DataPage = lazy(async () => ({ default: (await import('../features/data/data-page.tsx')).DataPage }))

/** A production build resolves the guard to false and drops the page with its imports. */
const SimulatorPage =
  import.meta.env.DEV || import.meta.env.MODE === 'simulator'
    ? lazy(async () => ({ default: (await import('../features/simulator/simulator-page.tsx')).SimulatorPage }))
    : null

const simulatorRoute = SimulatorPage && <Route path={simulatorPath} element={<SimulatorPage />} />

const mailedRoutes = (
  <>
    <Route path={paths.resetPassword} element={<ResetPasswordPage />} />
    <Route path={paths.confirmEmail} element={<ConfirmEmailPage />} />
  </>
)

const SubscriberRoutes = () => (
  <Routes>
    {mailedRoutes}
    <Route element={<AppShell onEveryScreen={<LiveChatAlerts />} />}>
      <Route path={paths.home} element={<DashboardPage />} />
      <Route path={paths.liveChat} element={<LiveChatScreen />} />
      <Route path={paths.conversationFlows} element={<ConversationFlowsPage />} />
      <Route path={paths.settings} element={<SettingsPage />} />
      <Route path={paths.whatsappSessions} element={<SessionsPage />} />
      <Route path={paths.profile} element={<ProfilePage />} />
      <Route path={`${paths.flowEditor}/:id`} element={<FlowEditorPage />} />
      <Route path={paths.billing} element={<BillingPage />} />
      <Route path={paths.help} element={<HelpPage />} />
      <Route path={paths.admin} element={<AdminPage />} />
      <Route path={paths.data} element={<DataPage />} />
      {simulatorRoute}
      <Route path={paths.automationBuilder} element={<AutomationBuilderPage />} />
      <Route path="*" element={<Navigate to={paths.home} replace />} />
    </Route>
  </Routes>
)

const sessionEnded =
  'Sua sessão terminou. O que você escreveu está guardado, e o que ainda não saiu vai assim que você entrar de novo.'

/** An app path shows the sign-in, any other the landing page. */
const VisitorScreen = () => (isAppPath(useLocation().pathname) ? <LoginPage /> : <LandingScreen />)

const SignedOutRoutes = ({ hasEnded }: { hasEnded: boolean }) => (
  <Routes>
    <Route path={paths.login} element={<LoginPage notice={hasEnded ? sessionEnded : undefined} />} />
    <Route path={paths.register} element={<RegisterPage />} />
    {mailedRoutes}
    <Route path="*" element={hasEnded ? <LoginPage notice={sessionEnded} /> : <VisitorScreen />} />
  </Routes>
)

/** With a password set by an administrator the server refuses everything else. */
const TemporaryPasswordRoutes = () => (
  <Routes>
    {mailedRoutes}
    <Route path="*" element={<NewPasswordPage />} />
  </Routes>
)

/** True when a session ended without sign-out: unsent text still belongs to that user. */
const useHasEnded = (user: User | null | undefined): boolean => {
  const lastId = useRef<string | null>(null)
  // The server may end the session before a logout empties the storage.
  const account = useSyncExternalStore(subscribeToAccount, accountOfPersonalStorage)
  useEffect(() => {
    if (user) lastId.current = user.id
  }, [user])
  return user === null && lastId.current !== null && account === lastId.current
}

export const Router = () => {
  const user = useQuery(currentUserQuery)
  const hasEnded = useHasEnded(user.data)
  // An erasure closes the socket before its reply arrives.
  const isErasing = useIsMutating({ mutationKey: erasingAccount }) > 0
  if (user.isPending || (user.data === null && isErasing)) return <LoadingScreen />
  if (user.data === undefined) return <ConnectionTrouble error={user.error} onRetry={() => void user.refetch()} />
  return (
    <ScreenBoundary>
      <Suspense fallback={<LoadingScreen />}>
        {user.data?.mustChangePassword ? (
          <TemporaryPasswordRoutes />
        ) : seesOnlyData(user.data) ? (
          <AnalystRoutes mailed={mailedRoutes} />
        ) : user.data ? (
          <SubscriberRoutes />
        ) : (
          <SignedOutRoutes hasEnded={hasEnded} />
        )}
      </Suspense>
    </ScreenBoundary>
  )
}

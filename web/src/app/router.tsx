import type { User } from '@prosa/contracts/http/auth'
import { useIsMutating, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useSyncExternalStore } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router-dom'
import { ConnectionTrouble } from '../components/connection-trouble.tsx'
import { LoadingScreen } from '../components/loading-screen.tsx'
import { erasingAccount } from '../lib/account-erased.ts'
import { currentUserQuery } from '../lib/current-user.ts'
import { isAppPath, paths, simulatorPath } from '../lib/paths.ts'
import { ownerOfPersonalStorage, subscribeToOwner } from '../lib/personal-storage.ts'
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
const LiveChatPage = lazy(async () => ({
  default: (await import('../features/live-chat/live-chat-page.tsx')).LiveChatPage,
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

/** A production build resolves the guard to false and drops the page with everything it imports. */
const SimulatorPage =
  import.meta.env.DEV || import.meta.env.MODE === 'simulator'
    ? lazy(async () => ({ default: (await import('../features/simulator/simulator-page.tsx')).SimulatorPage }))
    : null

const simulatorRoute = SimulatorPage && <Route path={simulatorPath} element={<SimulatorPage />} />

/** A link from a mail works in a browser that is still signed in, too. */
const mailedRoutes = (
  <>
    <Route path={paths.resetPassword} element={<ResetPasswordPage />} />
    <Route path={paths.confirmEmail} element={<ConfirmEmailPage />} />
  </>
)

const sessionEnded =
  'Sua sessão terminou. O que você escreveu está guardado, e o que ainda não saiu vai assim que você entrar de novo.'

/** The address of a screen leads there as soon as one is signed in; every other one is the landing page. */
const VisitorScreen = () => (isAppPath(useLocation().pathname) ? <LoginPage /> : <LandingScreen />)

/** Whose session ended signs in where they are, and goes on there. */
const SignedOutRoutes = ({ hasEnded }: { hasEnded: boolean }) => (
  <Routes>
    <Route path={paths.login} element={<LoginPage notice={hasEnded ? sessionEnded : undefined} />} />
    <Route path={paths.register} element={<RegisterPage />} />
    {mailedRoutes}
    <Route path="*" element={hasEnded ? <LoginPage notice={sessionEnded} /> : <VisitorScreen />} />
  </Routes>
)

/** An administrator set the password: the server answers nothing else until it is another one. */
const TemporaryPasswordRoutes = () => (
  <Routes>
    {mailedRoutes}
    <Route path="*" element={<NewPasswordPage />} />
  </Routes>
)

const SignedInRoutes = () => (
  <Routes>
    {mailedRoutes}
    <Route element={<AppShell onEveryScreen={<LiveChatAlerts />} />}>
      <Route path={paths.home} element={<DashboardPage />} />
      <Route path={paths.login} element={<DashboardPage />} />
      <Route path={paths.liveChat} element={<LiveChatPage />} />
      <Route path={paths.conversationFlows} element={<ConversationFlowsPage />} />
      <Route path={paths.settings} element={<SettingsPage />} />
      <Route path={paths.whatsappSessions} element={<SessionsPage />} />
      <Route path={paths.profile} element={<ProfilePage />} />
      <Route path={`${paths.flowEditor}/:id`} element={<FlowEditorPage />} />
      <Route path={paths.billing} element={<BillingPage />} />
      <Route path={paths.help} element={<HelpPage />} />
      <Route path={paths.admin} element={<AdminPage />} />
      {simulatorRoute}
      <Route path={paths.automationBuilder} element={<AutomationBuilderPage />} />
      <Route path="*" element={<Navigate to={paths.home} replace />} />
    </Route>
  </Routes>
)

/** Whether somebody was signed in here and did not sign out: what they wrote is still theirs. */
const useHasEnded = (user: User | null | undefined): boolean => {
  const lastId = useRef<string | null>(null)
  // The server may end the session before a logout empties the storage.
  const owner = useSyncExternalStore(subscribeToOwner, ownerOfPersonalStorage)
  useEffect(() => {
    if (user) lastId.current = user.id
  }, [user])
  return user === null && lastId.current !== null && owner === lastId.current
}

/** Which screens exist depends on whether somebody is signed in (specification, 2). */
export const Router = () => {
  const user = useQuery(currentUserQuery)
  const hasEnded = useHasEnded(user.data)
  // The line is closed with the account, and shows it before the answer does: only this shows why nobody is signed in.
  const isErasing = useIsMutating({ mutationKey: erasingAccount }) > 0
  if (user.isPending || (user.data === null && isErasing)) return <LoadingScreen />
  if (user.data === undefined) return <ConnectionTrouble error={user.error} onRetry={() => void user.refetch()} />
  return (
    <ScreenBoundary>
      <Suspense fallback={<LoadingScreen />}>
        {user.data?.mustChangePassword ? (
          <TemporaryPasswordRoutes />
        ) : user.data ? (
          <SignedInRoutes />
        ) : (
          <SignedOutRoutes hasEnded={hasEnded} />
        )}
      </Suspense>
    </ScreenBoundary>
  )
}

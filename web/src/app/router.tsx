import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router-dom'
import { ConnectionTrouble } from '../components/connection-trouble.tsx'
import { LoadingScreen } from '../components/loading-screen.tsx'
import { LandingPage } from '../features/welcome/landing-page.tsx'
import { currentUserQuery } from '../lib/current-user.ts'
import { paths, simulatorPath } from '../lib/paths.ts'
import { ScreenBoundary } from './screen-boundary.tsx'

const LoginPage = lazy(async () => ({ default: (await import('../features/welcome/login-page.tsx')).LoginPage }))
const RegisterPage = lazy(async () => ({
  default: (await import('../features/welcome/register-page.tsx')).RegisterPage,
}))
const ResetPasswordPage = lazy(async () => ({
  default: (await import('../features/welcome/reset-password-page.tsx')).ResetPasswordPage,
}))
const AppShell = lazy(async () => ({ default: (await import('./app-shell.tsx')).AppShell }))
const StartPage = lazy(async () => ({ default: (await import('../features/start/start-page.tsx')).StartPage }))
const SettingsPage = lazy(async () => ({
  default: (await import('../features/settings/settings-page.tsx')).SettingsPage,
}))
const ProfilePage = lazy(async () => ({
  default: (await import('../features/profile/profile-page.tsx')).ProfilePage,
}))
const SessionsPage = lazy(async () => ({
  default: (await import('../features/sessions/sessions-page.tsx')).SessionsPage,
}))
const LiveChatPage = lazy(async () => ({
  default: (await import('../features/live-chat/live-chat-page.tsx')).LiveChatPage,
}))
const LiveChatAlerts = lazy(async () => ({
  default: (await import('../features/live-chat/live-chat-alerts.tsx')).LiveChatAlerts,
}))

/** A production build resolves the guard to false and drops the page with everything it imports. */
const SimulatorPage =
  import.meta.env.DEV || import.meta.env.MODE === 'simulator'
    ? lazy(async () => ({ default: (await import('../features/simulator/simulator-page.tsx')).SimulatorPage }))
    : null

const simulatorRoute = SimulatorPage && <Route path={simulatorPath} element={<SimulatorPage />} />

/** A link from a mail works in a browser that is still signed in, too. */
const resetPasswordRoute = <Route path={paths.resetPassword} element={<ResetPasswordPage />} />

const SignedOutRoutes = () => (
  <Routes>
    <Route path={paths.login} element={<LoginPage />} />
    <Route path={paths.register} element={<RegisterPage />} />
    {resetPasswordRoute}
    <Route path="*" element={<LandingPage />} />
  </Routes>
)

const SignedInRoutes = () => (
  <Routes>
    {resetPasswordRoute}
    <Route element={<AppShell onEveryScreen={<LiveChatAlerts />} />}>
      <Route path={paths.home} element={<StartPage />} />
      <Route path={paths.login} element={<StartPage />} />
      <Route path={paths.liveChat} element={<LiveChatPage />} />
      <Route path={paths.settings} element={<SettingsPage />} />
      <Route path={paths.whatsappSessions} element={<SessionsPage />} />
      <Route path={paths.profile} element={<ProfilePage />} />
      {simulatorRoute}
      <Route path="*" element={<Navigate to={paths.home} replace />} />
    </Route>
  </Routes>
)

/** Which screens exist depends on whether somebody is signed in (specification, 2). */
export const Router = () => {
  const user = useQuery(currentUserQuery)
  if (user.isPending) return <LoadingScreen />
  if (user.data === undefined) return <ConnectionTrouble error={user.error} onRetry={() => void user.refetch()} />
  return (
    <ScreenBoundary>
      <Suspense fallback={<LoadingScreen />}>{user.data ? <SignedInRoutes /> : <SignedOutRoutes />}</Suspense>
    </ScreenBoundary>
  )
}

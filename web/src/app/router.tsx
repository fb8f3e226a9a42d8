import type { User } from '@prosa/contracts/http/accounts/auth'
import { useIsMutating, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useSyncExternalStore } from 'react'
import { Route, Routes, useLocation } from 'react-router-dom'
import { LoadingScreen } from '../components/layout/loading-screen.tsx'
import { ConnectionTrouble } from '../components/notices/connection-trouble.tsx'
import { erasingAccount } from '../lib/account/account-erased.ts'
import { currentUserQuery } from '../lib/account/current-user.ts'
import { ownerOfPersonalStorage, subscribeToOwner } from '../lib/browser/personal-storage.ts'
import { isAppPath, paths } from '../lib/paths.ts'
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
const SignedInRoutes = lazy(async () => ({ default: (await import('./signed-in-routes.tsx')).SignedInRoutes }))

const mailedRoutes = (
  <>
    <Route path={paths.resetPassword} element={<ResetPasswordPage />} />
    <Route path={paths.confirmEmail} element={<ConfirmEmailPage />} />
  </>
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
  const owner = useSyncExternalStore(subscribeToOwner, ownerOfPersonalStorage)
  useEffect(() => {
    if (user) lastId.current = user.id
  }, [user])
  return user === null && lastId.current !== null && owner === lastId.current
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
        ) : user.data ? (
          <SignedInRoutes mailed={mailedRoutes} />
        ) : (
          <SignedOutRoutes hasEnded={hasEnded} />
        )}
      </Suspense>
    </ScreenBoundary>
  )
}

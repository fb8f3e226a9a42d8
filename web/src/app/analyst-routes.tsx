import { lazy, type ReactNode } from 'react'
import { Navigate, Route, Routes } from 'react-router-dom'
import { paths } from '../lib/paths.ts'

const AnalystShell = lazy(async () => ({ default: (await import('./app-shell.tsx')).AnalystShell }))
const DataPage = lazy(async () => ({ default: (await import('../features/data/data-page.tsx')).DataPage }))
const ProfilePage = lazy(async () => ({
  default: (await import('../features/profile/profile-page.tsx')).ProfilePage,
}))

/** Links that were mailed open in every state of the sign-in. */
interface Props {
  mailed: ReactNode
}

/** The server refuses an analyst everything else. */
export const AnalystRoutes = ({ mailed }: Props) => (
  <Routes>
    {mailed}
    <Route element={<AnalystShell />}>
      <Route path={paths.data} element={<DataPage />} />
      <Route path={paths.profile} element={<ProfilePage />} />
      <Route path="*" element={<Navigate to={paths.data} replace />} />
    </Route>
  </Routes>
)

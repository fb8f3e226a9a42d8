import { lazy, type ReactNode } from 'react'
import { Navigate, Route, Routes } from 'react-router-dom'
import { useSeesOnlyData } from '../lib/account/sees-only-data.ts'
import { paths, simulatorPath } from '../lib/paths.ts'

const AppShell = lazy(async () => ({ default: (await import('./app-shell.tsx')).AppShell }))
const AnalystShell = lazy(async () => ({ default: (await import('./app-shell.tsx')).AnalystShell }))
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
const DataPage = lazy(async () => ({ default: (await import('../features/data/data-page.tsx')).DataPage }))

/** A production build resolves the guard to false and drops the page with its imports. */
const SimulatorPage =
  import.meta.env.DEV || import.meta.env.MODE === 'simulator'
    ? lazy(async () => ({ default: (await import('../features/simulator/simulator-page.tsx')).SimulatorPage }))
    : null

const simulatorRoute = SimulatorPage && <Route path={simulatorPath} element={<SimulatorPage />} />

/** Links that were mailed open in every state of the sign-in. */
interface Props {
  mailed: ReactNode
}

/** The server refuses an analyst everything else. */
const AnalystRoutes = ({ mailed }: Props) => (
  <Routes>
    {mailed}
    <Route element={<AnalystShell />}>
      <Route path={paths.data} element={<DataPage />} />
      <Route path={paths.profile} element={<ProfilePage />} />
      <Route path="*" element={<Navigate to={paths.data} replace />} />
    </Route>
  </Routes>
)

const SubscriberRoutes = ({ mailed }: Props) => (
  <Routes>
    {mailed}
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
      <Route path={paths.data} element={<DataPage />} />
      {simulatorRoute}
      <Route path={paths.automationBuilder} element={<AutomationBuilderPage />} />
      <Route path="*" element={<Navigate to={paths.home} replace />} />
    </Route>
  </Routes>
)

export const SignedInRoutes = (props: Props) =>
  useSeesOnlyData() ? <AnalystRoutes {...props} /> : <SubscriberRoutes {...props} />

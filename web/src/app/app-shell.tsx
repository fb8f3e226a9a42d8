import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { ThemeProvider } from '@mui/material/styles'
import { warnedPercentOf } from '@prosa/contracts/values/plan'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { atom, createStore, Provider as StateProvider } from 'jotai'
import { memo, type ReactNode, Suspense, useRef, useState } from 'react'
import { Link, NavLink, Outlet, useLocation } from 'react-router-dom'
import ForumIcon from '~icons/ic/round-forum'
import HelpIcon from '~icons/ic/round-help-outline'
import MenuIcon from '~icons/ic/round-menu'
import PhoneIcon from '~icons/ic/round-phonelink-ring'
import FlowIcon from '~icons/ic/round-schema'
import SettingsIcon from '~icons/ic/round-settings'
import DashboardIcon from '~icons/ic/round-space-dashboard'
import { KeyHint } from '../components/key-hint.tsx'
import { LateDrawer } from '../components/layout/late-drawer.tsx'
import { lazyPart, useIdleLoading } from '../components/layout/lazy-part.tsx'
import { LoadingScreen } from '../components/layout/loading-screen.tsx'
import { Logo } from '../components/layout/logo.tsx'
import { SkipLink } from '../components/skip-link.tsx'
import { StatusDot } from '../components/status-dot.tsx'
import { mustAcceptTerms } from '../lib/account/accept-terms.ts'
import { useCurrentUser } from '../lib/account/current-user.ts'
import { usageQuery } from '../lib/account/usage.ts'
import { contactCountsQuery } from '../lib/account/waiting.ts'
import { pageStore } from '../lib/browser/page-store.ts'
import { personalStorageEpoch } from '../lib/browser/personal-storage.ts'
import { useWaitingTab } from '../lib/browser/tab-title.ts'
import { plural } from '../lib/format/format.ts'
import { notePosition } from '../lib/http/http.ts'
import { paths } from '../lib/paths.ts'
import { usePollingPace } from '../lib/realtime/live-pace.ts'
import { readAgain } from '../lib/realtime/merged-readings.ts'
import { SocketProvider, useSocketEvent } from '../lib/realtime/socket.tsx'
import { useSocketTrouble } from '../lib/realtime/socket-trouble.ts'
import { ScreenBoundary } from './screen-boundary.tsx'
import { theme } from './theme.ts'
import { useNavigationKeys } from './use-navigation-keys.ts'
import { useScrollRestoration } from './use-scroll-restoration.ts'
import { UserMenu } from './user-menu.tsx'

interface Waiting {
  waiting: number
  /** Of them. */
  asked: number
}

/** '3', or '3, 1 pediu uma pessoa'. */
const inWords = ({ waiting, asked }: Waiting, of = ''): string =>
  `${waiting}${of}${asked > 0 ? `, ${plural(asked, 'pediu uma pessoa', 'pediram uma pessoa')}` : ''}`

const useWaitingCount = (): Waiting => {
  const client = useQueryClient()
  usePollingPace()
  const { waiting = 0, asked = 0 } = useQuery(contactCountsQuery).data ?? {}
  const follow = ({ position }: { position: string }) => {
    notePosition(position)
    readAgain(client, contactCountsQuery.queryKey)
  }
  useSocketEvent('whatsapp:new_message', follow)
  useSocketEvent('whatsapp:contact_update', follow)
  useWaitingTab(waiting, waiting === 0 ? '' : inWords({ waiting, asked }))
  return { waiting, asked }
}

/** The content security policy requires this reply's nonce, which the server writes into index.html. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce

/** MUI expects the key `css`. */
const cache = createCache({ key: 'css', nonce })

const StylesByNonce = ({ children }: { children: ReactNode }) => <CacheProvider value={cache}>{children}</CacheProvider>

const SocketNotice = () => {
  const trouble = useSocketTrouble()
  return (
    <Box role="status" sx={{ display: 'flex', alignItems: 'center', gap: 2, color: 'text.secondary', minWidth: 0 }}>
      {trouble && (
        <>
          <StatusDot tone={trouble.tone} />
          {trouble.words}
        </>
      )}
    </Box>
  )
}

const destinations = [
  { to: paths.home, label: 'Dashboard', Icon: DashboardIcon, keys: ['G', 'C'] },
  { to: paths.liveChat, label: 'Bate Papo ao vivo', Icon: ForumIcon, keys: ['G', 'L'] },
  { to: paths.conversationFlows, label: 'Fluxos de Conversa', Icon: FlowIcon, keys: ['G', 'F'] },
  { to: paths.whatsappSessions, label: 'WhatsApp Sessions', Icon: PhoneIcon, keys: ['G', 'W'] },
  { to: paths.settings, label: 'Configurações', Icon: SettingsIcon, keys: ['G', 'S'] },
  { to: paths.help, label: 'Suporte', Icon: HelpIcon, keys: ['G', 'A'] },
] as const

const SubscriptionNotice = lazyPart(async () => (await import('./subscription-notice.tsx')).SubscriptionNotice)

const ConfirmationNotice = lazyPart(async () => (await import('./confirmation-notice.tsx')).ConfirmationNotice)

const LimitNotice = lazyPart(async () => (await import('./limit-notice.tsx')).LimitNotice)

const TermsNotice = lazyPart(async () => (await import('./terms-notice.tsx')).TermsNotice)

const navigationStyle = {
  display: 'flex',
  alignItems: 'center',
  gap: 1,
  minHeight: 'var(--target)',
  borderRadius: 'var(--radius-control)',
  color: 'text.secondary',
  textDecoration: 'none',
  transition: 'background-color var(--state), color var(--state)',
  '&:hover': { bgcolor: 'sunken', color: 'text.primary' },
  '&.active': { bgcolor: 'primarySoft', color: 'primary.main' },
} as const

const railStyle = {
  ...navigationStyle,
  flexDirection: 'column',
  textAlign: 'center',
  px: 1,
  py: 2,
  typography: 'caption',
  textWrap: 'balance',
}
const drawerStyle = { ...navigationStyle, gap: 3, px: 3, py: 3, typography: 'subtitle2' }

const WaitingBadge = ({ waiting: { waiting, asked } }: { waiting: Waiting }) => (
  <Box
    component="span"
    role="img"
    aria-label={inWords({ waiting, asked }, ' aguardando')}
    sx={{
      position: 'absolute',
      top: -6,
      left: 12,
      minWidth: 18,
      px: 1,
      typography: 'caption',
      lineHeight: '18px',
      fontWeight: 600,
      textAlign: 'center',
      borderRadius: 'var(--radius-panel)',
      bgcolor: 'accent',
      color: 'onAccent',
    }}
  >
    {waiting > 99 ? '99+' : waiting}
  </Box>
)

interface NavigationLinksProps {
  compact: boolean
  waiting: Waiting
  onGo?: () => void
}

const NavigationLinks = ({ compact, waiting, onGo }: NavigationLinksProps) =>
  destinations.map(({ to, label, Icon, keys }) => (
    <KeyHint key={to} title={label} keys={keys} placement="right">
      <Box component={NavLink} to={to} end={to === paths.home} onClick={onGo} sx={compact ? railStyle : drawerStyle}>
        <Box component="span" sx={{ position: 'relative', display: 'flex' }}>
          <Icon aria-hidden="true" />
          {to === paths.liveChat && waiting.waiting > 0 && <WaitingBadge waiting={waiting} />}
        </Box>
        <span>{label}</span>
      </Box>
    </KeyHint>
  ))

/** A component of its own: the frame does not render with each navigation. */
const NavigationKeys = () => {
  useNavigationKeys()
  return null
}

const Screen = () => {
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const { onScroll } = useScrollRestoration(main)
  return (
    <Box
      component="main"
      id="conteudo"
      ref={main}
      onScroll={onScroll}
      sx={{ display: 'flex', flexDirection: 'column', flex: 1, minWidth: 0, minHeight: 0, overflow: 'auto' }}
    >
      <ScreenBoundary key={pathname}>
        <Suspense fallback={<LoadingScreen />}>
          <Outlet />
        </Suspense>
      </ScreenBoundary>
    </Box>
  )
}

interface MenuProps {
  open: boolean
  waiting: Waiting
  onClose: () => void
}

const MenuDrawer = ({ open, waiting, onClose }: MenuProps) => (
  <LateDrawer
    open={open}
    onClose={onClose}
    slotProps={{ paper: { 'aria-label': 'Menu', sx: { width: 'var(--drawer-width)', p: 3 } } }}
  >
    <Box component="nav" aria-label="Principal" sx={{ display: 'flex', flexDirection: 'column', gap: 1 }}>
      <Box sx={{ px: 3, py: 2 }}>
        <Logo />
      </Box>
      <NavigationLinks compact={false} waiting={waiting} onGo={onClose} />
    </Box>
  </LateDrawer>
)

const headerStyle = {
  display: 'flex',
  flex: 'none',
  alignItems: 'center',
  gap: 2,
  height: 'var(--header-height)',
  px: { xs: 2, md: 4 },
  borderBottom: '1px solid',
  borderColor: 'divider',
} as const

const Frame = memo(() => {
  const [menuOpen, setMenuOpen] = useState(false)
  useIdleLoading()
  const waiting = useWaitingCount()
  const user = useCurrentUser()
  const { data: usage } = useQuery(usageQuery)
  const percent = usage && warnedPercentOf(usage.messages)
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', height: '100dvh' }}>
      <SkipLink label="Pular para o conteúdo" target={() => document.querySelector('main')} />
      <NavigationKeys />
      <Box
        component="header"
        sx={{ ...headerStyle, 'body:has([data-own-header]) &': { display: { xs: 'none', md: 'flex' } } }}
      >
        <IconButton
          aria-label="Abrir menu"
          aria-expanded={menuOpen}
          onClick={() => setMenuOpen(true)}
          sx={{ display: { md: 'none' } }}
        >
          <MenuIcon />
          {waiting.waiting > 0 && (
            <Box component="span" sx={{ position: 'absolute', top: 10, left: 8 }}>
              <WaitingBadge waiting={waiting} />
            </Box>
          )}
        </IconButton>
        <Box
          component={Link}
          to={paths.home}
          aria-label="Prosa, ir para o dashboard"
          sx={{ display: 'flex', textDecoration: 'none' }}
        >
          <Logo />
        </Box>
        <Box sx={{ flex: 1 }} />
        <SocketNotice />
        <UserMenu />
      </Box>
      {user?.subscriptionStatus === 'expired' && <SubscriptionNotice />}
      {user && !user.isEmailConfirmed && <ConfirmationNotice />}
      {user && mustAcceptTerms(user) && <TermsNotice terms={user.terms} />}
      {usage && percent && usage.access !== 'ended' && <LimitNotice usage={usage} percent={percent} />}
      <Box sx={{ display: 'flex', flex: 1, minHeight: 0 }}>
        <Box
          component="nav"
          aria-label="Principal"
          sx={{
            display: { xs: 'none', md: 'flex' },
            flex: 'none',
            flexDirection: 'column',
            gap: 1,
            width: 'var(--rail-width)',
            p: 2,
            borderRight: '1px solid',
            borderColor: 'divider',
          }}
        >
          <NavigationLinks compact waiting={waiting} />
        </Box>
        <Screen />
      </Box>
      <MenuDrawer open={menuOpen} waiting={waiting} onClose={() => setMenuOpen(false)} />
    </Box>
  )
})

const userStoreAtom = atom({ of: '', store: createStore() })

/** One user's screen state, also while they sign in again. */
const storeOf = (userId: string | undefined) => {
  const known = pageStore.get(userStoreAtom)
  const of = `${personalStorageEpoch()} ${userId}`
  if (userId === undefined || known.of === of) return known.store
  const store = createStore()
  pageStore.set(userStoreAtom, { of, store })
  return store
}

/** Styles, theme, and the state of the user's screens. */
const Surroundings = ({ children }: { children: ReactNode }) => (
  <StylesByNonce>
    <ThemeProvider theme={theme}>
      <StateProvider store={storeOf(useCurrentUser()?.id)}>{children}</StateProvider>
    </ThemeProvider>
  </StylesByNonce>
)

/** A screen that scrolls itself (live chat) sets `flex: 1; min-height: 0`; for any other main scrolls. */
export const AppShell = ({ onEveryScreen }: { onEveryScreen: ReactNode }) => (
  <Surroundings>
    <SocketProvider>
      <Frame />
      <Suspense fallback={null}>{onEveryScreen}</Suspense>
    </SocketProvider>
  </Surroundings>
)

const AnalystFrame = () => {
  useIdleLoading()
  const user = useCurrentUser()
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', height: '100dvh' }}>
      <Box component="header" sx={headerStyle}>
        <Box
          component={Link}
          to={paths.data}
          aria-label="Prosa, ir para os dados"
          sx={{ display: 'flex', textDecoration: 'none' }}
        >
          <Logo />
        </Box>
        <Box sx={{ flex: 1 }} />
        <UserMenu />
      </Box>
      {user && mustAcceptTerms(user) && <TermsNotice terms={user.terms} />}
      <Screen />
    </Box>
  )
}

/** Without a socket: nothing is pushed to analysts. */
export const AnalystShell = () => (
  <Surroundings>
    <AnalystFrame />
  </Surroundings>
)

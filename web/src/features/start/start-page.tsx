import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { Connection } from '@prosa/contracts/http/connections'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import CheckIcon from '~icons/ic/round-check-circle'
import { ConfirmEmailNotice } from '../../components/confirm-email-notice.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { panelStyle } from '../../components/panel.tsx'
import { connectionsQuery, isConnected } from '../../lib/connections.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { phoneNumber } from '../../lib/format.ts'
import { sentenceOf } from '../../lib/http.ts'
import { paths } from '../../lib/paths.ts'
import { serverNow } from '../../lib/server-clock.ts'
import { trialDaysLeft, trialSentence } from './trial-days.ts'

const TrialBanner = () => {
  const user = useCurrentUser()
  const days = user ? trialDaysLeft(user, serverNow() ?? Date.now()) : 0
  if (days === 0) return null
  return (
    <Box
      role="note"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: 3,
        bgcolor: 'infoSoft',
        color: 'info.main',
        borderRadius: 'var(--radius-panel)',
        px: 4,
        py: 3,
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="subtitle2" component="p">
          Período Gratuito Ativo
        </Typography>
        <Typography>{trialSentence(days)}</Typography>
      </Box>
      <Button component={Link} to={paths.billing} variant="outlined" color="inherit">
        Adquirir Plano
      </Button>
    </Box>
  )
}

type StepProps = { number: number; done?: boolean; title: string; children: ReactNode; action: ReactNode }

const Step = ({ number, done = false, title, children, action }: StepProps) => (
  <Box
    component="li"
    sx={{
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      gap: 4,
      p: 5,
      borderTop: '1px solid',
      borderColor: 'divider',
      '&:first-of-type': { borderTop: 0 },
    }}
  >
    <Box
      aria-hidden="true"
      sx={{
        display: 'grid',
        placeItems: 'center',
        width: 'var(--avatar)',
        height: 'var(--avatar)',
        borderRadius: '50%',
        bgcolor: done ? 'primarySoft' : 'sunken',
        color: done ? 'primary.main' : 'text.secondary',
        typography: 'subtitle2',
      }}
    >
      {done ? <CheckIcon /> : number}
    </Box>
    <Box sx={{ flex: '1 1 0', minWidth: 0 }}>
      <Typography variant="subtitle1" component="h2">
        {title}
      </Typography>
      <Typography component="div" sx={{ color: 'text.secondary', textWrap: 'pretty' }}>
        {children}
      </Typography>
    </Box>
    <Box sx={{ flexBasis: { xs: '100%', md: 'auto' }, pl: { xs: 14, md: 0 } }}>{action}</Box>
  </Box>
)

const lineSentence = (connections: readonly Connection[]): string => {
  const open = connections.filter(isConnected)
  if (open.length === 1 && open[0]) return `${open[0].name} está conectado: ${phoneNumber(open[0].phoneNumber)}`
  if (open.length > 1) return `${open.length} números conectados`
  if (connections.length > 0) return 'Nenhum número está conectado agora. Abra as conexões para ver o que falta.'
  return 'Leia um QR Code com o celular do seu negócio. Leva um minuto.'
}

/** The signed-in start: the free period and the two next steps, as they really stand. */
export const StartPage = () => {
  const user = useCurrentUser()
  const { data: connections, error } = useQuery(connectionsQuery)
  const connected = connections?.some(isConnected) ?? false
  return (
    <PageFrame>
      <PageHeading title={user ? `Olá, ${user.firstName}` : 'Dashboard'} tab="Dashboard" />
      <TrialBanner />
      <ConfirmEmailNotice />
      <Box component="ol" sx={{ ...panelStyle, m: 0, p: 0, listStyle: 'none' }}>
        <Step
          number={1}
          done={connected}
          title="Conecte seu WhatsApp"
          action={
            <Button component={Link} to={paths.settings} variant={connected ? 'outlined' : 'contained'}>
              {connected ? 'Ver conexões' : 'Conectar WhatsApp'}
            </Button>
          }
        >
          {connections ? (
            lineSentence(connections)
          ) : error ? (
            sentenceOf(error, 'As conexões não puderam ser lidas.')
          ) : (
            <Skeleton variant="text" width="60%" />
          )}
        </Step>
        <Step
          number={2}
          title="Atenda no bate-papo"
          action={
            <Button component={Link} to={paths.liveChat} variant={connected ? 'contained' : 'outlined'}>
              Abrir bate-papo
            </Button>
          }
        >
          Quem escreve para o seu número aparece em Aguardando. Aceite a conversa, responda e finalize.
        </Step>
      </Box>
    </PageFrame>
  )
}

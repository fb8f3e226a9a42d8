import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { Connection } from '@prosa/contracts/http/connections'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { panelStyle } from '../../components/layout/panel.tsx'
import { isConnected, numbersOf } from '../../lib/account/connections.ts'
import { phoneNumber } from '../../lib/format/format.ts'
import { paths } from '../../lib/paths.ts'

type StepProps = { number: number; title: string; children: ReactNode; action: ReactNode }

const Step = ({ number, title, children, action }: StepProps) => (
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
        bgcolor: 'sunken',
        color: 'text.secondary',
        typography: 'subtitle2',
      }}
    >
      {number}
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

export const lineSentence = (connections: readonly Connection[]): string => {
  const open = connections.filter(isConnected)
  const all = numbersOf(connections).length
  if (open.length > 0 && open.length < all) return `${open.length} de ${all} números conectados`
  if (open.length === 1 && open[0]) return `${open[0].name} está conectado: ${phoneNumber(open[0].phoneNumber)}`
  if (open.length > 1) return `${open.length} números conectados`
  if (connections.length > 0) return 'Nenhum número está conectado agora. Abra as conexões para ver o que falta.'
  return 'Leia um QR Code com o celular do seu negócio. Leva um minuto.'
}

export const FirstSteps = ({ connections }: { connections: readonly Connection[] }) => (
  <Box component="ol" aria-label="Primeiros passos" sx={{ ...panelStyle, m: 0, p: 0, listStyle: 'none' }}>
    <Step
      number={1}
      title="Conecte seu WhatsApp"
      action={
        <Button component={Link} to={paths.settings} variant="contained">
          Conectar WhatsApp
        </Button>
      }
    >
      {lineSentence(connections)}
    </Step>
    <Step
      number={2}
      title="Atenda no bate-papo"
      action={
        <Button component={Link} to={paths.liveChat} variant="outlined">
          Abrir bate-papo
        </Button>
      }
    >
      Quem escreve para o seu número aparece em Aguardando. Aceite a conversa, responda e finalize.
    </Step>
  </Box>
)

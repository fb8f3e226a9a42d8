import LinkOffRounded from '@mui/icons-material/LinkOffRounded'
import WifiOffRounded from '@mui/icons-material/WifiOffRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../app/paths.ts'
import { useLine } from '../../lib/socket.tsx'

interface BannerProps {
  tone: 'warn' | 'info'
  icon: ReactNode
  title: string
  sentence: string
  action?: ReactNode
}

const Banner = ({ tone, icon, title, sentence, action }: BannerProps) => (
  <Box
    sx={{
      display: 'flex',
      alignItems: 'center',
      gap: 3,
      px: 4,
      py: 2,
      bgcolor: `${tone}Soft`,
      color: tone === 'warn' ? 'warn' : 'info.main',
      borderBottom: '1px solid',
      borderColor: 'divider',
    }}
  >
    {icon}
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <Typography variant="subtitle2" component="p">
        {title}
      </Typography>
      <Typography variant="caption" component="p" sx={{ color: 'text.primary' }}>
        {sentence}
      </Typography>
    </Box>
    {action}
  </Box>
)

const LineBanner = () => {
  const line = useLine()
  if (line === 'online') return null
  return line === 'offline' ? (
    <Banner
      tone="info"
      icon={<WifiOffRounded aria-hidden />}
      title="Você está sem internet"
      sentence="O que você escrever fica guardado aqui e sai assim que ela voltar."
    />
  ) : (
    <Banner
      tone="info"
      icon={<WifiOffRounded aria-hidden />}
      title="Reconectando ao Prosa"
      sentence="Nada se perde: o que chegar aparece assim que a conexão voltar."
    />
  )
}

/** What stands between the person and their customers, with the way on. Empty while all is well. */
export const LiveChatBanners = ({ disconnected }: { disconnected: boolean }) => (
  <Box role="status" sx={{ flexShrink: 0 }}>
    <LineBanner />
    {disconnected && (
      <Banner
        tone="warn"
        icon={<LinkOffRounded aria-hidden />}
        title="WhatsApp desconectado"
        sentence="As mensagens que chegarem serão recebidas assim que ele voltar."
        action={
          <Button component={Link} to={paths.settings} color="warning" variant="outlined">
            Conectar
          </Button>
        }
      />
    )}
  </Box>
)

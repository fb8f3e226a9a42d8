import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useIsFetching } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import LinkOffRounded from '~icons/ic/round-link-off'
import WifiRounded from '~icons/ic/round-wifi'
import WifiOffRounded from '~icons/ic/round-wifi-off'
import { paths } from '../../lib/paths.ts'
import { useLine } from '../../lib/socket.tsx'
import { keys } from './api.ts'

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

/** A line that comes back before is not worth a banner: nothing jumps. */
const troubleAfterMs = 2000
const backForMs = 4000

/** What to say of the line: nothing, that it is down, or for a while that it is back, once there was something to say. */
const useLineStory = () => {
  const line = useLine()
  const [story, setStory] = useState<'well' | 'trouble' | 'back'>('well')
  useEffect(() => {
    if (line === 'online') {
      setStory((before) => (before === 'trouble' ? 'back' : before))
      const timer = setTimeout(() => setStory('well'), backForMs)
      return () => clearTimeout(timer)
    }
    if (line === 'offline') return setStory('trouble')
    const timer = setTimeout(() => setStory('trouble'), troubleAfterMs)
    return () => clearTimeout(timer)
  }, [line])
  return { line, story }
}

const troubles = {
  offline: {
    title: 'Você está sem internet',
    sentence: 'O que você escrever fica guardado aqui e sai assim que ela voltar.',
  },
  reconnecting: {
    title: 'Reconectando ao Prosa',
    sentence: 'Nada se perde: o que chegar aparece assim que a conexão voltar.',
  },
  crowded: {
    title: 'Há abas demais do Prosa abertas',
    sentence: 'Feche algumas. Até lá, esta funciona, mas demora alguns segundos a mais para mostrar o que chega.',
  },
}

const LineBanner = () => {
  const { line, story } = useLineStory()
  const isReading = useIsFetching({ queryKey: keys.all }) > 0
  if (story === 'well') return null
  if (story === 'back')
    return (
      <Banner
        tone="info"
        icon={<WifiRounded aria-hidden />}
        title="Conexão restabelecida"
        sentence={
          isReading ? 'Buscando o que chegou nesse meio-tempo...' : 'O que chegou nesse meio-tempo já está aqui.'
        }
      />
    )
  const { title, sentence } = troubles[line === 'online' ? 'reconnecting' : line]
  return <Banner tone="info" icon={<WifiOffRounded aria-hidden />} title={title} sentence={sentence} />
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

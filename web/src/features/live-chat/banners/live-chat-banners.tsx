import Box from '@mui/material/Box'
import type { Connection } from '@prosa/contracts/http/connections'
import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import WifiRounded from '~icons/ic/round-wifi'
import WifiOffRounded from '~icons/ic/round-wifi-off'
import { lazyPart } from '../../../components/layout/lazy-part.tsx'
import { numbersDown, sendingStatus } from '../../../lib/account/connections.ts'
import { useSocketStatus } from '../../../lib/realtime/socket.tsx'
import { keys } from '../api.ts'
import { Banner } from './banner.tsx'

const WhatsAppBanner = lazyPart(async () => (await import('./whatsapp-banner.tsx')).WhatsAppBanner)

/** Shorter interruptions show no banner. */
const troubleAfterMs = 2000
const backForMs = 4000

const useSocketStory = () => {
  const status = useSocketStatus()
  const [story, setStory] = useState<'well' | 'trouble' | 'back'>('well')
  useEffect(() => {
    if (status === 'online') {
      setStory((before) => (before === 'trouble' ? 'back' : before))
      const timer = setTimeout(() => setStory('well'), backForMs)
      return () => clearTimeout(timer)
    }
    if (status === 'offline') return setStory('trouble')
    const timer = setTimeout(() => setStory('trouble'), troubleAfterMs)
    return () => clearTimeout(timer)
  }, [status])
  return { status, story }
}

const troubles = {
  offline: {
    title: 'Você está sem internet',
    sentence: 'O que você escrever fica guardado aqui e sai assim que ela voltar.',
  },
  reconnecting: {
    title: 'Reconectando ao Prosa',
    sentence: 'Nada se perde: o que você escrever sai, e o que chegar aparece, assim que a conexão voltar.',
  },
  crowded: {
    title: 'Há abas demais do Prosa abertas',
    sentence: 'Feche algumas. Até lá, esta funciona, mas demora alguns segundos a mais para mostrar o que chega.',
  },
}

const LineBanner = () => {
  const { status, story } = useSocketStory()
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
  const { title, sentence } = troubles[status === 'online' ? 'reconnecting' : status]
  return <Banner tone="info" icon={<WifiOffRounded aria-hidden />} title={title} sentence={sentence} />
}

export const LiveChatBanners = ({ connections }: { connections: readonly Connection[] | undefined }) => (
  <Box role="status" sx={{ flexShrink: 0 }}>
    <LineBanner />
    {connections && (sendingStatus(connections) === 'none' || numbersDown(connections).length > 0) && (
      <WhatsAppBanner connections={connections} />
    )}
  </Box>
)

import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { SupportChannels } from '@prosa/contracts/http/accounts/support'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import PhoneIcon from '~icons/ic/round-call'
import ChatIcon from '~icons/ic/round-forum'
import MailIcon from '~icons/ic/round-mail'
import { supportChannelsQuery } from './api.ts'
import { SupportForm } from './support-form.tsx'

/** `(11) 4002-8922` → dialable number. */
const dialled = (phone: string) => phone.replace(/[^\d+]/g, '')

const Channel = ({ icon, name, children }: Record<'icon' | 'children', ReactNode> & { name: string }) => (
  <Box component="li" sx={{ display: 'flex', gap: 3, minWidth: 0, '& svg': { flex: 'none', color: 'primary.main' } }}>
    {icon}
    <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
      <Typography variant="subtitle2" component="p">
        {name}
      </Typography>
      {children}
    </Box>
  </Box>
)

const Channels = ({ email, phone, chatUrl }: SupportChannels) => (
  <Box component="ul" aria-label="Canais de suporte" sx={{ display: 'grid', gap: 4, m: 0, p: 0, listStyle: 'none' }}>
    {email && (
      <Channel icon={<MailIcon aria-hidden="true" />} name="E-mail">
        <Link href={`mailto:${email}`}>{email}</Link>
      </Channel>
    )}
    {phone && (
      <Channel icon={<PhoneIcon aria-hidden="true" />} name="Telefone">
        <Link href={`tel:${dialled(phone)}`}>{phone}</Link>
      </Channel>
    )}
    {chatUrl && (
      <Channel icon={<ChatIcon aria-hidden="true" />} name="Chat ao vivo">
        <Link href={chatUrl} target="_blank" rel="noreferrer">
          Abrir o chat
        </Link>
        <Typography sx={{ color: 'text.secondary' }}>Segunda a sexta, 9h–18h</Typography>
      </Channel>
    )}
  </Box>
)

/** The form does not depend on them. */
const KnownChannels = () => {
  const { data: channels, isPending } = useQuery(supportChannelsQuery)
  if (isPending)
    return (
      <Box role="status" aria-label="Carregando...">
        <Skeleton variant="rounded" sx={{ height: 'var(--card-height)' }} />
      </Box>
    )
  if (channels && Object.values(channels).some((channel) => channel !== null)) return <Channels {...channels} />
  return (
    <Typography sx={{ color: 'text.secondary', textWrap: 'pretty' }}>
      Escreva pelo formulário: a mensagem chega a quem cuida do Prosa, e a resposta vai para o e-mail da sua conta.
    </Typography>
  )
}

export const ContactSection = () => (
  <Box component="section" aria-labelledby="help-contact" sx={{ display: 'grid', gap: 4, minWidth: 0 }}>
    <Typography id="help-contact" variant="h2">
      Contato
    </Typography>
    <Box
      sx={{
        display: 'grid',
        gap: 8,
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) minmax(0, 2fr)' },
      }}
    >
      <KnownChannels />
      <SupportForm />
    </Box>
  </Box>
)

import AddIcon from '@mui/icons-material/AddRounded'
import PhoneIcon from '@mui/icons-material/PhonelinkRingRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { useState } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { sentenceOf } from '../../lib/http.ts'
import { AddSessionDialog } from './add-session-dialog.tsx'
import { useSessions } from './api.ts'
import { QrDialog } from './qr-dialog.tsx'
import { SessionCard } from './session-card.tsx'

const grid = {
  display: 'grid',
  gap: 4,
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(var(--card-width), 100%), 1fr))',
  m: 0,
  p: 0,
  listStyle: 'none',
} as const

const panel = {
  bgcolor: 'surface',
  border: '1px solid',
  borderColor: 'divider',
  borderRadius: 'var(--radius-panel)',
} as const

/** '/whatsapp-sessions': the WhatsApp numbers as sessions with their tokens. */
export const SessionsPage = () => {
  const { data: sessions, error, isPending, refetch } = useSessions()
  const [adding, setAdding] = useState(false)
  const [shownToken, setShownToken] = useState<string | null>(null)
  const shown = sessions?.find(({ token }) => token === shownToken)

  const add = (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setAdding(true)}>
      Adicionar Sessão
    </Button>
  )
  return (
    <Box
      sx={{ width: '100%', maxWidth: 'var(--page-width)', mx: 'auto', p: { xs: 4, md: 8 }, display: 'grid', gap: 6 }}
    >
      <PageHeading
        title="WhatsApp Sessions"
        sentence="Os números conectados ao Prosa, cada um com o token que o identifica."
        action={sessions && sessions.length > 0 && add}
      />
      {isPending ? (
        <Box role="status" aria-label="Carregando..." sx={grid}>
          {[1, 2].map((key) => (
            <Skeleton key={key} variant="rounded" sx={{ height: 'var(--card-height)' }} />
          ))}
        </Box>
      ) : !sessions ? (
        <Box sx={panel}>
          <EmptyState
            title="As sessões não puderam ser lidas"
            sentence={sentenceOf(error, 'Tente de novo em instantes.')}
            action={
              <Button variant="outlined" onClick={() => void refetch()}>
                Tentar de novo
              </Button>
            }
          />
        </Box>
      ) : sessions.length === 0 ? (
        <Box sx={panel}>
          <EmptyState
            icon={<PhoneIcon />}
            title="Nenhuma sessão ainda"
            sentence="Adicione uma sessão e leia o QR Code com o celular do seu negócio."
            action={add}
          />
        </Box>
      ) : (
        <Box component="ul" sx={grid}>
          {sessions.map((session) => (
            <SessionCard key={session.token} session={session} onShowQr={() => setShownToken(session.token)} />
          ))}
        </Box>
      )}
      {adding && (
        <AddSessionDialog
          onClose={() => setAdding(false)}
          onAdded={(token) => {
            setAdding(false)
            setShownToken(token)
          }}
        />
      )}
      {shown && <QrDialog session={shown} onClose={() => setShownToken(null)} />}
    </Box>
  )
}

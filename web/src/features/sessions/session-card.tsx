import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { WhatsappSession } from '@prosa/contracts/http/connections'
import { useId } from 'react'
import QrIcon from '~icons/ic/round-qr-code-2'
import { CopyButton } from '../../components/copy-button.tsx'
import { RemovalButton } from '../../components/forms/removal-button.tsx'
import { GridCard } from '../../components/layout/card-grid.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { dayAndTime, phoneNumber } from '../../lib/format/format.ts'
import type { StatusTone } from '../../lib/format/status-tone.ts'
import { serverNow } from '../../lib/http/server-clock.ts'
import { useRemoveSession } from './api.ts'

/** Specification, 4. */
const sessionBadges: Record<WhatsappSession['status'], { label: string; tone: StatusTone }> = {
  active: { label: 'Ativa', tone: 'good' },
  qr_ready: { label: 'QR Pronto', tone: 'busy' },
  connecting: { label: 'Conectando', tone: 'busy' },
  inactive: { label: 'Inativa', tone: 'bad' },
}

/** First and last four characters, enough to distinguish tokens. */
const shortToken = (token: string): string => `${token.slice(0, 4)}…${token.slice(-4)}`

const Badge = ({ status }: Pick<WhatsappSession, 'status'>) => (
  <Box
    role="status"
    sx={{
      flex: 'none',
      display: 'inline-flex',
      alignItems: 'center',
      gap: 1.5,
      px: 2,
      py: 0.5,
      typography: 'caption',
      bgcolor: 'sunken',
      borderRadius: 'var(--radius-control)',
    }}
  >
    <StatusDot tone={sessionBadges[status].tone} />
    {sessionBadges[status].label}
  </Box>
)

const facts = { display: 'grid', gridTemplateColumns: 'auto minmax(0, 1fr)', columnGap: 3, rowGap: 1, m: 0 } as const
const term = { color: 'text.secondary' } as const
const detail = { m: 0, fontVariantNumeric: 'tabular-nums' } as const

export const SessionCard = ({ session, onShowQr }: { session: WhatsappSession; onShowQr: () => void }) => {
  const { name, token, status, lastActivity } = session
  const remove = useRemoveSession()
  const headingId = useId()
  return (
    <GridCard labelledBy={headingId}>
      <Box sx={{ display: 'flex', alignItems: 'flex-start', justifyContent: 'space-between', gap: 3 }}>
        <Typography variant="subtitle1" component="h2" id={headingId} sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <Badge status={status} />
      </Box>
      <Box component="dl" sx={facts}>
        <Typography component="dt" sx={{ ...term, alignSelf: 'center' }}>
          Token
        </Typography>
        <Box component="dd" sx={{ m: 0, display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
          <Typography noWrap component="code" title={token} sx={{ fontFamily: 'monospace' }}>
            {shortToken(token)}
          </Typography>
          <CopyButton text={token} what="o token" done="Token copiado!" />
        </Box>
        <Typography component="dt" sx={term}>
          Telefone
        </Typography>
        <Typography component="dd" sx={detail}>
          {phoneNumber(session.phoneNumber) || 'Nenhum conectado'}
        </Typography>
        <Typography component="dt" sx={term}>
          Última atividade
        </Typography>
        <Typography component="dd" sx={detail}>
          {lastActivity ? dayAndTime(lastActivity, serverNow() ?? Date.now()) : 'Nenhuma ainda'}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, mt: 'auto' }}>
        <Button variant="outlined" startIcon={<QrIcon />} disabled={status === 'active'} onClick={onShowQr}>
          QR CODE
        </Button>
        <RemovalButton
          hint="Remover sessão"
          label={`Remover a sessão ${name}`}
          title="Remover sessão"
          sentence={`Tem certeza que deseja remover a sessão "${name}"? O número será desconectado. As conversas continuam no Prosa; com quem só escreveu para este número, você escolhe por qual responder.`}
          confirm="Remover"
          pending={remove.isPending}
          onRemove={(options) => remove.mutate(token, options)}
        />
      </Box>
    </GridCard>
  )
}

import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import type { WebhookSetting } from '@prosa/contracts/http/accounts/plans'
import { minTokenLength } from '@prosa/contracts/values/kiwify'
import { useQuery } from '@tanstack/react-query'
import { CopyButton } from '../../../components/copy-button.tsx'
import { panelStyle } from '../../../components/layout/panel.tsx'
import { Notice } from '../../../components/notices/notice.tsx'
import { wholeTime } from '../../../lib/format/whole-time.ts'
import { webhooksQuery } from '../webhooks-query.ts'
import { RefusedPanel } from './refused-panel.tsx'
import { supportedEvents } from './webhook-words.ts'

/** Green only once a delivery was accepted. */
const Active = ({ settings }: { settings: readonly WebhookSetting[] }) => {
  const last = settings
    .flatMap(({ lastReceivedAt }) => lastReceivedAt ?? [])
    .sort()
    .at(-1)
  if (last === undefined)
    return (
      <Notice kind="info">
        <strong>Tokens configurados.</strong> Nenhum aviso da Kiwify foi aceito ainda: só o primeiro mostra se os tokens
        conferem.
      </Notice>
    )
  return (
    <Notice kind="success">
      <strong>Webhook ativo.</strong> Último aviso aceito: {wholeTime(last)}.
    </Notice>
  )
}

/** A short token can be guessed from one signed delivery. */
const ShortTokens = () => {
  const { data = [] } = useQuery(webhooksQuery)
  const short = data.filter(({ hasShortToken }) => hasShortToken)
  if (short.length === 0) return null
  return (
    <Notice kind="warning">
      <strong>Token curto demais.</strong> Um token para {short.map(({ path }) => path).join(' e ')} tem menos de{' '}
      {minTokenLength} caracteres e pode ser descoberto. Crie outro na Kiwify e troque-o no servidor.
    </Notice>
  )
}

const Banner = () => {
  const { data } = useQuery(webhooksQuery)
  if (!data) return <Notice kind="info">Verificando a configuração...</Notice>
  const missing = data.filter(({ isConfigured }) => !isConfigured)
  if (missing.length === 0) return <Active settings={data} />
  const paths = missing.map(({ path }) => path).join(' e ')
  return (
    <Notice kind={missing.length === data.length ? 'error' : 'warning'}>
      <strong>{missing.length === data.length ? 'Nenhum token configurado.' : 'Webhook ativo em parte.'}</strong> Os
      avisos da Kiwify para {paths} são recusados até que o token seja configurado no servidor.
    </Notice>
  )
}

export const SetupPanel = () => (
  <Box sx={{ display: 'grid', gap: 4 }}>
    <Banner />
    <ShortTokens />
    <RefusedPanel />
    <Box sx={{ ...panelStyle, p: 4, display: 'grid', gap: 4, gridTemplateColumns: { md: '1fr 1fr' } }}>
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="subtitle2" component="h3">
          URL base
        </Typography>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
          <Box component="code" sx={{ fontFamily: 'var(--mono)', overflowWrap: 'anywhere' }}>
            {window.location.origin}
          </Box>
          <CopyButton text={window.location.origin} what="a URL base" done="Link copiado!" />
        </Box>
      </Box>
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="subtitle2" component="h3" id="webhook-events">
          Eventos suportados
        </Typography>
        <Box
          component="ul"
          aria-labelledby="webhook-events"
          sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, m: 0, mt: 2, p: 0, listStyle: 'none' }}
        >
          {supportedEvents.map(({ label, event }) => (
            <li key={event}>
              <Chip size="small" variant="outlined" label={label} />
            </li>
          ))}
        </Box>
      </Box>
    </Box>
  </Box>
)

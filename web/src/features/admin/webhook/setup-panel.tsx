import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Notice } from '../../../components/notice.tsx'
import { panelStyle } from '../../../components/panel.tsx'
import { webhooksQuery } from '../webhooks-query.ts'
import { supportedEvents } from './webhook-words.ts'

const Banner = () => {
  const { data } = useQuery(webhooksQuery)
  if (!data) return <Notice kind="info">Verificando a configuração...</Notice>
  const missing = data.filter(({ isConfigured }) => !isConfigured)
  if (missing.length === 0)
    return (
      <Notice kind="success">
        <strong>Webhook ativo.</strong> Os avisos da Kiwify são conferidos e processados.
      </Notice>
    )
  const paths = missing.map(({ path }) => path).join(' e ')
  return (
    <Notice kind={missing.length === data.length ? 'error' : 'warning'}>
      <strong>{missing.length === data.length ? 'Nenhum token configurado.' : 'Webhook ativo em parte.'}</strong> Os
      avisos da Kiwify para {paths} são recusados até que o token seja configurado no servidor.
    </Notice>
  )
}

/** Whether deliveries can come in, under which address, and which events have an effect. */
export const SetupPanel = () => (
  <Box sx={{ display: 'grid', gap: 4 }}>
    <Banner />
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

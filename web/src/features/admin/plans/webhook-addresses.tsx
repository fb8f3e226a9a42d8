import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { WebhookSetting } from '@prosa/contracts/http/accounts/plans'
import { useQuery } from '@tanstack/react-query'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { StatusDot } from '../../../components/status-dot.tsx'
import { AdminSection } from '../admin-section.tsx'
import { webhooksQuery } from '../webhooks-query.ts'

const words: Record<WebhookSetting['endpoint'], { name: string; help: string; variable: string }> = {
  approved: {
    name: 'Compras',
    help: 'Compra aprovada, compra recusada, renovação, atraso e cancelamento.',
    variable: 'PROSA_KIWIFY_APPROVED_TOKENS',
  },
  refunded: {
    name: 'Reembolsos',
    help: 'Reembolso e chargeback.',
    variable: 'PROSA_KIWIFY_REFUNDED_TOKENS',
  },
}

const Address = ({ endpoint, path, isConfigured }: WebhookSetting) => {
  const { name, help, variable } = words[endpoint]
  const url = `${window.location.origin}${path}`
  return (
    <Box
      component="li"
      sx={{ display: 'grid', gap: 1, p: 4, '& + &': { borderTop: '1px solid', borderColor: 'divider' } }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 2 }}>
        <Typography variant="subtitle1" component="h3">
          {name}
        </Typography>
        <Box sx={{ display: 'inline-flex', alignItems: 'center', gap: 2, typography: 'caption' }}>
          <StatusDot tone={isConfigured ? 'good' : 'bad'} />
          {isConfigured ? 'Token configurado' : 'Sem token'}
        </Box>
      </Box>
      <Typography sx={{ color: 'text.secondary' }}>{help}</Typography>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        <Box component="code" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          {url}
        </Box>
        <CopyButton text={url} what="o link" about={name} done="Link copiado!" />
      </Box>
      {!isConfigured && (
        <Typography role="note" sx={{ p: 3, bgcolor: 'warnSoft', borderRadius: 'var(--radius-control)' }}>
          Nenhum token está configurado: o Prosa recusa o que a Kiwify enviar a este endereço. Copie o token do webhook
          na Kiwify para <code>{variable}</code> e reinicie o Prosa.
        </Typography>
      )}
    </Box>
  )
}

/** The two addresses to enter at Kiwify, and whether deliveries to them can be verified. */
export const WebhookAddresses = () => {
  const { data, isPending } = useQuery(webhooksQuery)
  return (
    <AdminSection title="Endereços de webhook" sentence="Cadastre os dois na Kiwify, em Apps → Webhooks.">
      {isPending ? (
        <Skeleton variant="rounded" height="var(--card-height)" />
      ) : (
        data && (
          <Panel>
            <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
              {data.map((setting) => (
                <Address key={setting.endpoint} {...setting} />
              ))}
            </Box>
          </Panel>
        )
      )}
    </AdminSection>
  )
}

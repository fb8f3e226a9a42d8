import Box from '@mui/material/Box'
import type { RefusedDeliveries } from '@prosa/contracts/http/accounts/webhook-logs'
import { useQuery } from '@tanstack/react-query'
import { panelStyle } from '../../../components/layout/panel.tsx'
import { Notice } from '../../../components/notices/notice.tsx'
import { CountedRow } from '../../../components/tables/counted-row.tsx'
import { plural } from '../../../lib/format/format.ts'
import { refusedDeliveriesQuery } from './api.ts'
import { refusedWords } from './webhook-words.ts'

type Source = RefusedDeliveries['sources'][number]

const Source = ({ source }: { source: Source }) => (
  <CountedRow
    what={
      <Box component="span" sx={{ fontFamily: 'var(--mono)' }}>
        {source.address ?? 'Outros endereços'}
      </Box>
    }
    detail={refusedWords(source)}
    count={source.count}
    lastAt={source.lastAt}
  />
)

/** Kiwify signs everything, so unsigned requests come last. */
const unsignedLast = (a: Source, b: Source) => Number(a.reason === 'unsigned') - Number(b.reason === 'unsigned')

const Sources = ({ sources }: Pick<RefusedDeliveries, 'sources'>) => {
  return (
    <Box component="details" sx={{ ...panelStyle, px: 4 }}>
      <Box component="summary" sx={{ cursor: 'pointer', minHeight: 'var(--target)', alignContent: 'center' }}>
        De onde vieram
      </Box>
      <Box component="ul" aria-label="De onde vieram" sx={{ m: 0, p: 0, pb: 2, listStyle: 'none' }}>
        {sources.toSorted(unsignedLast).map((source) => (
          <Source key={`${source.endpoint} ${source.reason} ${source.address}`} source={source} />
        ))}
      </Box>
    </Box>
  )
}

const Words = ({ count, unsigned }: Pick<RefusedDeliveries, 'count' | 'unsigned'>) => {
  const withoutSignature = plural(unsigned, 'pedido sem assinatura', 'pedidos sem assinatura')
  if (count === 0)
    return (
      <Notice kind="info">
        {withoutSignature} nas últimas 24 h: nada disso é da Kiwify, que assina todos os avisos. Nada se perdeu.
      </Notice>
    )
  return (
    <Notice kind="warning">
      <strong>{plural(count, 'aviso recusado', 'avisos recusados')} nas últimas 24 h.</strong> Se vieram da Kiwify, há
      vendas que o Prosa não conhece: compare o token de cada webhook na Kiwify com o do servidor, corrija o que for
      diferente e reenvie os avisos pela Kiwify.
      {unsigned > 0 && ` Houve também ${withoutSignature}: nada disso é da Kiwify.`}
    </Notice>
  )
}

/** Refusals of the last 24 hours by source and probable cause; empty if there were none. */
export const RefusedPanel = () => {
  const { data } = useQuery(refusedDeliveriesQuery)
  if (!data || data.count + data.unsigned === 0) return null
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Words {...data} />
      <Sources sources={data.sources} />
    </Box>
  )
}

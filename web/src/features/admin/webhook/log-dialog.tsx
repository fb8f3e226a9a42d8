import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { WebhookLogDetail } from '@prosa/contracts/http/accounts/webhook-logs'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import ReplayIcon from '~icons/ic/round-replay'
import { CodeBlock } from '../../../components/code-block.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Notice } from '../../../components/notices/notice.tsx'
import { plural } from '../../../lib/format/format.ts'
import { wholeTime } from '../../../lib/format/whole-time.ts'
import { sentenceOf } from '../../../lib/http/http.ts'
import { webhookLogQuery } from './api.ts'
import { LogStatus } from './log-status.tsx'
import { kindLabel, prettyBody } from './webhook-words.ts'

const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <Box sx={{ minWidth: 0 }}>
    <Typography component="dt" variant="caption" sx={{ color: 'text.secondary' }}>
      {name}
    </Typography>
    <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
      {children}
    </Box>
  </Box>
)

const factsStyle = {
  display: 'grid',
  gap: 3,
  m: 0,
  gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
} as const

const Result = ({ log }: { log: WebhookLogDetail }) => {
  const { processedData, processedAt } = log
  if (log.errorMessage) return <Notice kind="error">{log.errorMessage}</Notice>
  if (log.note) return <Notice kind="info">{log.note}</Notice>
  if (!processedData) return <Typography sx={{ color: 'text.secondary' }}>Ainda não foi processado.</Typography>
  return (
    <Box component="dl" sx={factsStyle}>
      <Fact name="Pedido">{processedData.orderRef ?? processedData.orderId ?? '—'}</Fact>
      <Fact name="Produto">{processedData.productName ?? '—'}</Fact>
      <Fact name="Valor">
        {processedData.amountCents === null ? '—' : money.format(processedData.amountCents / 100)}
      </Fact>
      <Fact name="Efeito">
        {processedData.changedOrder ? 'O pedido foi atualizado.' : 'O pedido já estava assim: nada mudou.'}
      </Fact>
      {processedAt && <Fact name="Processado">{wholeTime(processedAt)}</Fact>}
    </Box>
  )
}

const Body = ({ log }: { log: WebhookLogDetail }) => {
  const heading = useId()
  const text = log.isBodyErased ? log.body : prettyBody(log.body)
  return (
    <Box component="section" aria-labelledby={heading} sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', minHeight: 'var(--target)' }}>
        <Typography variant="subtitle2" component="h3" id={heading}>
          Conteúdo recebido
        </Typography>
        {!log.isBodyErased && <CopyButton text={text} what="o conteúdo" done="Conteúdo copiado!" />}
      </Box>
      <CodeBlock aria-labelledby={heading} sx={{ maxHeight: 'calc(var(--popup-height) * 1.5)' }}>
        {text}
      </CodeBlock>
    </Box>
  )
}

const Detail = ({ log }: { log: WebhookLogDetail }) => {
  return (
    <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box component="dl" sx={factsStyle}>
        <Fact name="Status">
          <LogStatus status={log.status} />
        </Fact>
        <Fact name="Evento">{log.event ?? '—'}</Fact>
        <Fact name="Recebido">
          {wholeTime(log.createdAt)}
          {log.repeated > 0 &&
            `, e mais ${plural(log.repeated, 'vez', 'vezes')}, a última ${wholeTime(log.lastReceivedAt)}`}
        </Fact>
        <Fact name="Endereço">
          {log.method} {log.endpoint}
        </Fact>
      </Box>
      <Box component="section" sx={{ display: 'grid', gap: 2 }}>
        <Typography variant="subtitle2" component="h3">
          Resultado
        </Typography>
        <Result log={log} />
      </Box>
      <Body log={log} />
    </Box>
  )
}

type Props = { id: string; onReprocess: () => void; onClose: () => void }

export const LogDialog = ({ id, onReprocess, onClose }: Props) => {
  const titleId = useId()
  const { data: log, error } = useQuery(webhookLogQuery(id))
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{log ? kindLabel(log) : 'Aviso da Kiwify'}</DialogTitle>
      <DialogContent>
        {log ? (
          <Detail log={log} />
        ) : error ? (
          <Notice kind="error">{sentenceOf(error, 'O aviso não pôde ser carregado. Tente de novo.')}</Notice>
        ) : (
          <Skeleton variant="rounded" sx={{ height: 'var(--popup-height)' }} />
        )}
      </DialogContent>
      <DialogActions>
        {log && !log.isBodyErased && (
          <Button color="inherit" startIcon={<ReplayIcon />} onClick={onReprocess} sx={{ mr: 'auto' }}>
            Reprocessar
          </Button>
        )}
        <Button variant="contained" onClick={onClose}>
          Fechar
        </Button>
      </DialogActions>
    </Dialog>
  )
}

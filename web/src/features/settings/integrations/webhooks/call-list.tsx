import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { WebhookCall, WebhookShown } from '@prosa/contracts/http/webhooks'
import type { WebhookCallStatus } from '@prosa/contracts/values/webhook'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ChoiceGroup } from '../../../../components/forms/choice-group.tsx'
import { NotReadPanel } from '../../../../components/notices/not-read-panel.tsx'
import { StatusBadge } from '../../../../components/status-badge.tsx'
import { dayAndTime, plural } from '../../../../lib/format/format.ts'
import { callsQuery, useRepeatCalls } from './api.ts'
import { attemptWords, callStatusWords, nextWords, shortType } from './webhook-words.ts'

const filters = ['', 'delivered', 'waiting', 'failed'] as const
type Filter = (typeof filters)[number]
const filterLabels: Record<Filter, string> = {
  '': 'Todas',
  delivered: 'Entregues',
  waiting: 'Na fila',
  failed: 'Falharam',
}

const Call = ({ call, webhook, onRepeat }: { call: WebhookCall; webhook: WebhookShown; onRepeat?: () => void }) => {
  const nowMs = Date.now()
  const [isOpen, setIsOpen] = useState(false)
  const { type, recordedAt, status, attempts, attemptCount } = call
  const last = attempts.at(-1)
  const next = nextWords(call, webhook.status, nowMs)
  return (
    <Box component="li" sx={{ py: 2, borderTop: '1px solid', borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 3, rowGap: 1 }}>
        <Typography sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{shortType(type)}</Typography>
        <Typography variant="caption" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
          {dayAndTime(recordedAt, nowMs)}
        </Typography>
        <StatusBadge {...callStatusWords[status]} />
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 3 }}>
        <Typography variant="body2" sx={{ color: 'text.secondary', flex: 1, minWidth: 0 }}>
          {[
            last && attemptWords(last),
            last && last.failure !== 'disabled' && `${last.durationMs} ms`,
            attemptCount > 1 && plural(attemptCount, 'tentativa', 'tentativas'),
            next,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Typography>
        {attempts.length > 1 && (
          <Button size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            Tentativas
          </Button>
        )}
        {onRepeat && (
          <Button size="small" onClick={onRepeat}>
            Repetir
          </Button>
        )}
      </Box>
      {isOpen && (
        <Box component="ol" sx={{ m: 0, pl: 4 }}>
          {attempts.map((attempt) => (
            <Typography key={attempt.at} component="li" variant="body2" sx={{ color: 'text.secondary' }}>
              {dayAndTime(attempt.at, nowMs)}: {attemptWords(attempt)}, {attempt.durationMs} ms
            </Typography>
          ))}
        </Box>
      )}
    </Box>
  )
}

/** The log of a webhook: what was sent, when and what came back, without contents. */
export const CallList = ({ webhook }: { webhook: WebhookShown }) => {
  const [filter, setFilter] = useState<Filter>('')
  const status: WebhookCallStatus | undefined = filter === '' ? undefined : filter
  const pages = useInfiniteQuery(callsQuery(webhook.id, status))
  const repeat = useRepeatCalls(webhook.id)
  const calls = pages.data?.pages.flat()
  const canRepeat = webhook.status !== 'disabled'
  const hasFailed = calls?.some((call) => call.status === 'failed' && call.type !== 'prosa.webhooks.test.v1')
  return (
    <Box component="section" aria-label={`Entregas de ${webhook.name}`} sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', justifyContent: 'space-between' }}>
        <ChoiceGroup
          label="Mostrar"
          value={filter}
          choices={filters.map((value) => ({ value, label: filterLabels[value] }))}
          onChange={setFilter}
        />
        {hasFailed && canRepeat && (
          <Button variant="outlined" disabled={repeat.isPending} onClick={() => repeat.mutate(null)}>
            Repetir todas que falharam
          </Button>
        )}
      </Box>
      {!calls && pages.error ? (
        <NotReadPanel
          title="As entregas não puderam ser lidas"
          error={pages.error}
          onRetry={() => void pages.refetch()}
        />
      ) : calls?.length === 0 ? (
        <Typography sx={{ color: 'text.secondary' }}>
          {filter === ''
            ? 'Nada foi enviado ainda. Envie um teste, ou espere o primeiro evento.'
            : 'Nenhuma entrega assim.'}
        </Typography>
      ) : (
        <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {calls?.map((call) => (
            <Call
              key={call.eventId}
              call={call}
              webhook={webhook}
              {...(call.status === 'failed' && canRepeat && { onRepeat: () => repeat.mutate(call.eventId) })}
            />
          ))}
        </Box>
      )}
      {pages.hasNextPage && (
        <Button disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          Mostrar mais
        </Button>
      )}
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        Fica por 30 dias, sem o conteúdo. O que falha é tentado de novo por um dia.
      </Typography>
    </Box>
  )
}

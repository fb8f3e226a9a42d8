import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { HistoryRecord, HistoryThread } from '@prosa/contracts/http/history'
import type { ReactNode } from 'react'
import CloseIcon from '~icons/ic/round-close'
import { ExportData } from '../../../components/export-data.tsx'
import { NothingHappened } from '../../../components/history/nothing-happened.tsx'
import { keyOf, kindName, targetOf, titleOf } from '../../../components/history/record-words.ts'
import { HistoryTimeline } from '../../../components/history/timeline.tsx'
import { TimelineLinksProvider } from '../../../components/history/timeline-links.ts'
import { RecordThenOfAddress } from '../../../components/past/record-then-of-address.tsx'
import { type HistoryFilters, useHistory } from './api.ts'
import { AsItWasButton } from './as-it-was-button.tsx'
import { HistoryFilterBar } from './history-filters.tsx'
import { adminLinks } from './history-words.ts'
import { MessagesThen } from './messages-then.tsx'
import { RecordWhy } from './record-why.tsx'
import { RefusedRequests } from './refused-requests.tsx'
import { useHistoryFilters } from './use-history-filters.ts'

const nameIn = (threads: readonly HistoryThread[] | undefined, key: string): string | undefined => {
  const target = targetOf(key)
  const records = threads?.flatMap(({ entries }) => entries.flatMap((entry) => entry.records)) ?? []
  const found = records.find((record) => keyOf(record) === key)
  return found ? titleOf(found) : target && kindName(target.kind)
}

const personIn = (threads: readonly HistoryThread[] | undefined, id: string): string | undefined =>
  threads?.flatMap(({ entries }) => entries.map(({ actor }) => actor)).find((actor) => actor.id === id)?.name

const Heading = ({ title, onAll, children }: { title: string; onAll: () => void; children?: ReactNode }) => (
  <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
    <Typography variant="h2" sx={{ overflowWrap: 'anywhere' }}>
      {title}
    </Typography>
    <Button color="inherit" startIcon={<CloseIcon />} onClick={onAll}>
      Ver tudo
    </Button>
    {children}
  </Box>
)

const Found = ({ records, onOpen }: { records: readonly HistoryRecord[]; onOpen: (key: string) => void }) => (
  <Box
    component="section"
    aria-label="Encontrados"
    sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}
  >
    <Typography sx={{ color: 'text.secondary' }}>Encontrados:</Typography>
    {records.map((record) => (
      <Button key={keyOf(record)} variant="outlined" color="inherit" onClick={() => onOpen(keyOf(record))}>
        {record.kind === 'user' || record.kind === 'contact'
          ? `${kindName(record.kind)} ${record.name}`
          : titleOf(record)}
      </Button>
    ))}
  </Box>
)

const saved = 'O arquivo está nos seus downloads; a última linha prova que ele está inteiro.'

const Exports = ({ asked: { search, text, record, ...asked } }: { asked: HistoryFilters }) => {
  const searched = text ?? search
  const filters = { ...asked, ...(searched === undefined ? { record } : { text: searched }) }
  return (
    <Box component="section" aria-label="Exportar" sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
      <ExportData
        label="Exportar CSV"
        ready={saved}
        target={{ kind: 'history', asked: { ...filters, format: 'csv' } }}
      />
      <ExportData
        label="Exportar NDJSON"
        ready={saved}
        target={{ kind: 'history', asked: { ...filters, format: 'ndjson' } }}
      />
    </Box>
  )
}

export const HistoryTab = () => {
  const filters = useHistoryFilters()
  const list = useHistory(filters.asked)
  const record = filters.asked.record ?? ''
  const target = targetOf(record)
  const tenant = filters.tenant.value
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <HistoryFilterBar filters={filters} person={personIn(list.rows, filters.actor.value)} />
      {tenant !== '' && (
        <Heading
          title={`Tudo de ${nameIn(list.rows, `user:${tenant}`) ?? 'uma conta'}`}
          onAll={() => filters.openTenant('')}
        />
      )}
      {record !== '' && (
        <Heading title={nameIn(list.rows, record) ?? 'Registro'} onAll={() => filters.record.set('')}>
          {target?.kind === 'user' && (
            <Button color="inherit" onClick={() => filters.openTenant(target.id)}>
              Tudo desta conta, com conversas e conexões
            </Button>
          )}
        </Heading>
      )}
      {list.found.length > 0 && <Found records={list.found} onOpen={filters.openRecord} />}
      {target && <RecordWhy of={target} />}
      <RecordThenOfAddress
        asAdmin
        below={({ kind, id }, em) => kind === 'contact' && <MessagesThen contactId={id} em={em} />}
      />
      {target && <AsItWasButton of={target} />}
      <Exports asked={filters.asked} />
      {(target === undefined || target.kind === 'user') && (
        <RefusedRequests user={target?.id} searched={filters.search.value.trim()} />
      )}
      <TimelineLinksProvider value={adminLinks}>
        <HistoryTimeline
          list={list}
          about={record || undefined}
          empty={
            <NothingHappened
              isFiltered={filters.isAny}
              sentence="O que acontecer no Prosa aparece aqui."
              onClear={filters.clear}
            />
          }
        />
      </TimelineLinksProvider>
    </Box>
  )
}

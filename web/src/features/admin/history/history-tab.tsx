import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { HistoryThread } from '@prosa/contracts/http/history'
import CloseIcon from '~icons/ic/round-close'
import HistoryIcon from '~icons/ic/round-history'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { useHistory } from './api.ts'
import { HistoryFilterBar } from './history-filters.tsx'
import { HistoryTimeline } from './history-timeline.tsx'
import { keyOf, kindName, targetOf, titleOf } from './history-words.ts'
import { PastState } from './past-state.tsx'
import { useHistoryFilters } from './use-history-filters.ts'

const nameIn = (threads: readonly HistoryThread[] | undefined, key: string): string | undefined => {
  const target = targetOf(key)
  const records = threads?.flatMap(({ entries }) => entries.flatMap((entry) => entry.records)) ?? []
  const found = records.find((record) => keyOf(record) === key)
  return found ? titleOf(found) : target && kindName(target.kind)
}

const personIn = (threads: readonly HistoryThread[] | undefined, id: string): string | undefined =>
  threads?.flatMap(({ entries }) => entries.map(({ actor }) => actor)).find((actor) => actor.id === id)?.name

export const HistoryTab = () => {
  const filters = useHistoryFilters()
  const list = useHistory(filters.asked)
  const record = filters.asked.record ?? ''
  const target = targetOf(record)
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <HistoryFilterBar filters={filters} person={personIn(list.rows, filters.actor.value)} />
      {record !== '' && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
          <Typography variant="h2" sx={{ overflowWrap: 'anywhere' }}>
            {nameIn(list.rows, record) ?? 'Registro'}
          </Typography>
          <Button color="inherit" startIcon={<CloseIcon />} onClick={() => filters.record.set('')}>
            Ver tudo
          </Button>
        </Box>
      )}
      {target?.kind === 'user' && <PastState user={target.id} />}
      <HistoryTimeline
        list={list}
        about={record || undefined}
        empty={
          <EmptyState
            icon={<HistoryIcon />}
            title="Nada encontrado"
            sentence={
              filters.isAny
                ? 'Nada aconteceu com estes filtros. Mude ou limpe os filtros.'
                : 'O que acontecer no Prosa aparece aqui.'
            }
            action={
              filters.isAny && (
                <Button variant="outlined" color="inherit" onClick={filters.clear}>
                  Limpar filtros
                </Button>
              )
            }
          />
        }
      />
    </Box>
  )
}

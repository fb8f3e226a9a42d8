import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { HistoryThread } from '@prosa/contracts/http/history'
import CloseIcon from '~icons/ic/round-close'
import { NothingHappened } from '../../../components/history/nothing-happened.tsx'
import { useOwnHistory } from '../../../components/history/own/api.ts'
import { ownLinks } from '../../../components/history/own/own-links.ts'
import { keyOf, titleOf } from '../../../components/history/record-words.ts'
import { HistoryTimeline } from '../../../components/history/timeline.tsx'
import { TimelineLinksProvider } from '../../../components/history/timeline-links.ts'
import { RecordThenOfAddress } from '../../../components/past/record-then-of-address.tsx'
import { SettingsBlock } from '../settings-block.tsx'
import { HistoryFilters, known, recordNames, useHistoryFilters } from './history-filters.tsx'

/** As the entries call it; of what they do not name, the kind. */
const nameOf = (key: string, threads: readonly HistoryThread[] | undefined): string => {
  const records = threads?.flatMap(({ entries }) => entries.flatMap((entry) => entry.records)) ?? []
  const found = records.find((record) => keyOf(record) === key)
  const kind = known(key.slice(0, key.indexOf(':')), recordNames)
  return found ? titleOf(found) : kind ? recordNames[kind] : 'Registro'
}

/** Everything that happened in the own account, of the team of Prosa too. */
export const HistorySection = () => {
  const filters = useHistoryFilters()
  const list = useOwnHistory(filters.asked)
  return (
    <SettingsBlock title="Histórico" action={null}>
      <Typography sx={{ color: 'text.secondary', textWrap: 'pretty' }}>
        Tudo o que aconteceu na sua conta: quem fez, quando e por quê. Também quando a equipe do Prosa leu ou mudou
        algo.
      </Typography>
      <HistoryFilters filters={filters} />
      {filters.record.value !== '' && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
          <Typography variant="h3" sx={{ overflowWrap: 'anywhere' }}>
            {nameOf(filters.record.value, list.rows)}
          </Typography>
          <Button color="inherit" startIcon={<CloseIcon />} onClick={() => filters.record.set('')}>
            Ver tudo
          </Button>
        </Box>
      )}
      <RecordThenOfAddress />
      <TimelineLinksProvider value={ownLinks}>
        <HistoryTimeline
          list={list}
          about={filters.record.value || undefined}
          empty={
            <NothingHappened
              isFiltered={filters.isAny}
              sentence="O que acontecer na sua conta aparece aqui."
              onClear={filters.clear}
            />
          }
        />
      </TimelineLinksProvider>
    </SettingsBlock>
  )
}

import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { HistoryThread } from '@prosa/contracts/http/history'
import { useSearchParams } from 'react-router-dom'
import CloseIcon from '~icons/ic/round-close'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { NothingHappened } from '../../../components/history/nothing-happened.tsx'
import { type OwnHistoryFilters, useOwnHistory } from '../../../components/history/own/api.ts'
import { ownLinks } from '../../../components/history/own/own-links.ts'
import { keyOf, titleOf } from '../../../components/history/record-words.ts'
import { HistoryTimeline } from '../../../components/history/timeline.tsx'
import { TimelineLinksProvider } from '../../../components/history/timeline-links.ts'
import { DayFilters } from '../../../components/tables/day-filters.tsx'
import { useAddressFilter } from '../../../lib/forms/use-address-filter.ts'
import { SettingsBlock } from '../settings-block.tsx'
import { actorNames, kindNames, recordNames } from './history-words.ts'

const everything = { value: '', label: 'Tudo' }
const everybody = { value: '', label: 'Todos' }
const optionsOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))

const names = ['registro', 'assunto', 'autor', 'de', 'ate'] as const

const known = <Name extends string>(value: string, of: Readonly<Record<Name, string>>): Name | undefined =>
  (Object.keys(of) as Name[]).find((name) => name === value)

const useFilters = () => {
  const [searchParams, setSearchParams] = useSearchParams()
  const [record, setRecord] = useAddressFilter('registro')
  const [kind, setKind] = useAddressFilter('assunto')
  const [actor, setActor] = useAddressFilter('autor')
  const [from, setFrom] = useAddressFilter('de')
  const [to, setTo] = useAddressFilter('ate')
  const asked: OwnHistoryFilters = {
    record: record || undefined,
    kind: known(kind, kindNames),
    actor: known(actor, actorNames),
    from: from || undefined,
    to: to || undefined,
  }
  return {
    asked,
    record: { value: record, set: setRecord },
    kind: { value: kind, set: setKind },
    actor: { value: actor, set: setActor },
    from: { value: from, set: setFrom },
    to: { value: to, set: setTo },
    isAny: names.some((name) => searchParams.has(name)),
    clear: () =>
      setSearchParams(
        (before) => new URLSearchParams([...before].filter(([name]) => !names.some((filter) => filter === name))),
        { preventScrollReset: true },
      ),
  }
}

type Filters = ReturnType<typeof useFilters>

const FilterBar = ({ filters: { kind, actor, from, to, isAny, clear } }: { filters: Filters }) => (
  <Box
    component="section"
    aria-label="Filtros do histórico"
    sx={{
      display: 'grid',
      gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 11rem), 1fr))',
      alignItems: 'end',
      gap: 3,
    }}
  >
    <SelectField
      label="Assunto"
      value={kind.value}
      onChange={kind.set}
      options={[everything, ...optionsOf(kindNames)]}
    />
    <SelectField
      label="Quem fez"
      value={actor.value}
      onChange={actor.set}
      options={[everybody, ...optionsOf(actorNames)]}
    />
    <DayFilters from={from.value} to={to.value} onFrom={from.set} onTo={to.set} />
    {isAny && (
      <Button color="inherit" onClick={clear} sx={{ justifySelf: 'start' }}>
        Limpar filtros
      </Button>
    )}
  </Box>
)

/** As the entries call it; of what they do not name, the kind. */
const nameOf = (key: string, threads: readonly HistoryThread[] | undefined): string => {
  const records = threads?.flatMap(({ entries }) => entries.flatMap((entry) => entry.records)) ?? []
  const found = records.find((record) => keyOf(record) === key)
  const kind = known(key.slice(0, key.indexOf(':')), recordNames)
  return found ? titleOf(found) : kind ? recordNames[kind] : 'Registro'
}

/** Everything that happened in the own account, of the team of Prosa too. */
export const HistorySection = () => {
  const filters = useFilters()
  const list = useOwnHistory(filters.asked)
  return (
    <SettingsBlock title="Histórico" action={null}>
      <Typography sx={{ color: 'text.secondary', textWrap: 'pretty' }}>
        Tudo o que aconteceu na sua conta: quem fez, quando e por quê. Também quando a equipe do Prosa leu ou mudou
        algo.
      </Typography>
      <FilterBar filters={filters} />
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

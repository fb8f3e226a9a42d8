import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { maximumPastedLength } from '@prosa/contracts/values/lengths'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { DayFilters } from '../../../components/tables/day-filters.tsx'
import { TableSearch } from '../../../components/tables/table-toolbar.tsx'
import { actorNames, groupNames } from './history-words.ts'
import type { AddressFilters } from './use-history-filters.ts'

const everything = { value: '', label: 'Todos' }
const optionsOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))

type Props = {
  filters: AddressFilters
  person: string | undefined
}

export const HistoryFilterBar = ({ filters, person }: Props) => {
  const { search, group, actor, from, to, isNarrowed, clear } = filters
  const isPerson = actor.value !== '' && !Object.hasOwn(actorNames, actor.value)
  return (
    <Box
      component="section"
      aria-label="Filtros do histórico"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 9rem), 1fr))',
        alignItems: 'end',
        gap: 3,
      }}
    >
      <Box sx={{ gridColumn: '1 / -1' }}>
        <TableSearch
          label="Nome, e-mail, código, motivo ou uma linha copiada"
          search={search.value}
          onSearch={search.set}
          maxLength={maximumPastedLength}
        />
      </Box>
      <SelectField
        label="Assunto"
        value={group.value}
        onChange={group.set}
        options={[everything, ...optionsOf(groupNames)]}
      />
      <SelectField
        label="Quem fez"
        value={actor.value}
        onChange={actor.set}
        options={[
          everything,
          ...optionsOf(actorNames),
          ...(isPerson ? [{ value: actor.value, label: person ?? 'Uma pessoa' }] : []),
        ]}
      />
      <DayFilters from={from.value} to={to.value} onFrom={from.set} onTo={to.set} />
      {isNarrowed && (
        <Button color="inherit" onClick={clear} sx={{ justifySelf: 'start' }}>
          Limpar filtros
        </Button>
      )}
    </Box>
  )
}

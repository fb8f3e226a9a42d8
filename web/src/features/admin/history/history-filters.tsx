import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Field } from '../../../components/forms/field.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
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
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 11rem), 1fr))',
        alignItems: 'end',
        gap: 3,
      }}
    >
      <TableSearch label="Código ou pedido" search={search.value} onSearch={search.set} />
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
      <Field label="De" type="date" value={from.value} max={to.value || undefined} onChange={from.set} />
      <Field label="Até" type="date" value={to.value} min={from.value || undefined} onChange={to.set} />
      {isNarrowed && (
        <Button color="inherit" onClick={clear} sx={{ justifySelf: 'start' }}>
          Limpar filtros
        </Button>
      )}
    </Box>
  )
}

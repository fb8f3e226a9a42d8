import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { FlowFolder } from '@prosa/contracts/http/flows'
import { Field } from '../../components/forms/field.tsx'
import { SelectField } from '../../components/forms/select-field.tsx'
import { flowStatuses } from '../../lib/account/flows.ts'
import { noFolder } from './found-flows.ts'
import type { useFlowFilters } from './use-flow-filters.ts'

interface Props {
  id: string
  address: ReturnType<typeof useFlowFilters>
  folders: readonly FlowFolder[]
}

/** Folders have date filters only. */
export const FilterPanel = ({ id, address, folders }: Props) => {
  const { tab, filters, setStatus, setFolder, setFrom, setTo, isFiltered, clear } = address
  return (
    <Box
      component="section"
      id={id}
      aria-label="Filtros"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 11rem), 1fr))',
        alignItems: 'end',
        gap: 3,
      }}
    >
      {tab === 'fluxos' && (
        <>
          <SelectField
            label="Status"
            value={filters.status}
            onChange={setStatus}
            options={[
              { value: '', label: 'Todos' },
              ...Object.entries(flowStatuses).map(([value, { label }]) => ({ value, label })),
            ]}
          />
          <SelectField
            label="Pasta"
            value={filters.folder}
            onChange={setFolder}
            options={[
              { value: '', label: 'Todas' },
              ...folders.map(({ id, name }) => ({ value: id, label: name })),
              { value: noFolder, label: 'Sem pasta' },
            ]}
          />
        </>
      )}
      <Field
        label="Atualizado de"
        type="date"
        value={filters.from}
        max={filters.to || undefined}
        onChange={setFrom}
        error={filters.from && filters.to && filters.to < filters.from ? 'Esta data vem depois da final.' : undefined}
      />
      <Field label="Atualizado até" type="date" value={filters.to} min={filters.from || undefined} onChange={setTo} />
      {isFiltered && (
        <Button color="inherit" onClick={clear} sx={{ justifySelf: 'start' }}>
          Limpar filtros
        </Button>
      )}
    </Box>
  )
}

import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { PublishedStream } from '@prosa/contracts/http/streams'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import { Field } from '../../../components/forms/field.tsx'
import { CardGridSkeleton } from '../../../components/layout/card-grid.tsx'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { NotReadPanel } from '../../../components/notices/not-read-panel.tsx'
import { plainText } from '../../../lib/format/plain-text.ts'
import { useAddressFilter } from '../../../lib/forms/use-address-filter.ts'
import { catalogueQuery, tablesQuery } from '../api.ts'
import { serviceName, tableName } from '../service-words.ts'
import { CatalogueEntry } from './catalogue-entry.tsx'
import { TableEntry } from './table-entry.tsx'

const haystackOf = ({ type, sentence, fields }: PublishedStream) =>
  plainText([type, sentence, ...fields.flatMap(({ name, sentence: about }) => [name, about])].join(' '))

const Entries = ({ entries, opened }: { entries: readonly PublishedStream[]; opened: string | null }) => {
  const services = [...new Set(entries.map(({ service }) => service))]
  return services.map((service) => (
    <Box
      key={service}
      component="section"
      aria-label={serviceName(service)}
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Typography variant="h2">{serviceName(service)}</Typography>
      <Panel>
        {entries
          .filter((entry) => entry.service === service)
          .map((entry) => (
            <CatalogueEntry key={entry.type} entry={entry} isOpened={entry.type === opened} />
          ))}
      </Panel>
    </Box>
  ))
}

const Tables = ({ wanted }: { wanted: string }) => {
  const found = (useQuery(tablesQuery).data ?? []).filter(({ name, sentence, columns }) =>
    plainText([tableName(name), name, sentence, ...columns.map((column) => column.name)].join(' ')).includes(wanted),
  )
  if (found.length === 0) return null
  return (
    <Box
      component="section"
      aria-label="Tabelas prontas"
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Typography variant="h2">Tabelas prontas</Typography>
      <Panel>
        {found.map((table) => (
          <TableEntry key={table.name} table={table} />
        ))}
      </Panel>
    </Box>
  )
}

export const CatalogueTab = () => {
  const { data, error, isPending, refetch } = useQuery(catalogueQuery)
  const [search, setSearch] = useAddressFilter('busca')
  const [address] = useSearchParams()
  if (isPending) return <CardGridSkeleton cards={4} />
  if (!data) return <NotReadPanel title="O catálogo não pôde ser lido" error={error} onRetry={() => void refetch()} />
  const wanted = plainText(search.trim())
  const found = data.filter((entry) => haystackOf(entry).includes(wanted))
  return (
    <Box sx={{ display: 'grid', gap: 6, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box sx={{ maxWidth: 'var(--form-width)' }}>
        <Field label="Buscar evento ou campo" type="search" value={search} onChange={setSearch} autoComplete="off" />
      </Box>
      <Tables wanted={wanted} />
      {found.length === 0 ? (
        <Panel>
          <EmptyState title={`Nada no catálogo fala de "${search.trim()}"`} />
        </Panel>
      ) : (
        <Entries entries={found} opened={address.get('evento')} />
      )}
    </Box>
  )
}

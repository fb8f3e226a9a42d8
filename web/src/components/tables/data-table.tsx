import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import type { ReactNode } from 'react'
import type { PagedList } from '../../lib/http/use-paged-list.ts'
import { useTableDensity } from '../../lib/table-density.ts'
import { SelectField } from '../forms/select-field.tsx'
import { NotRead } from '../notices/not-read-panel.tsx'
import './data-table.css'
import { panelStyle } from '../layout/panel.tsx'
import { ScreenReaderText } from '../screen-reader-text.tsx'
import { type RowAction, RowMenu } from './row-menu.tsx'

export interface Column<Row> {
  /** Unique in the table. */
  title: string
  numeric?: boolean
  /** Hidden in narrow tables, except on phones, where each row is a card. */
  secondary?: boolean
  /** Name under which the server sorts by it. */
  sort?: string
  cell: (row: Row) => ReactNode
  /** Buttons in the first cell, outside the one that opens the row. */
  beside?: (row: Row) => ReactNode
}

interface Sorting {
  by: string
  order: 'asc' | 'desc'
  onSort: (by: string, order: 'asc' | 'desc') => void
}

interface Props<Row> {
  label: string
  /** The first one names the row. */
  columns: readonly Column<Row>[]
  list: PagedList<Row>
  rowKey: (row: Row) => string
  /** Completes 'Ações de …'. */
  rowName: (row: Row) => string
  actions?: (row: Row) => readonly RowAction[]
  sorting?: Sorting
  /** What pressing a row's name opens. */
  onOpen?: (row: Row) => void
  empty: ReactNode
}

const skeletonRows = 8

const classOf = <Row,>({ numeric, secondary }: Column<Row>) =>
  [numeric && 'data-table-number', secondary && 'data-table-secondary'].filter(Boolean).join(' ') || undefined

const words = { asc: 'ascending', desc: 'descending' } as const

const SortButton = ({ title, by, sorting }: { title: string; by: string; sorting: Sorting }) => {
  const isSorted = sorting.by === by
  const isAscending = isSorted && sorting.order === 'asc'
  return (
    <button type="button" className="data-table-sort" onClick={() => sorting.onSort(by, isAscending ? 'desc' : 'asc')}>
      {title}
      <span aria-hidden>{isSorted ? (isAscending ? '↑' : '↓') : '↕'}</span>
    </button>
  )
}

const directions = { asc: 'crescente', desc: 'decrescente' } as const

/** On a phone rows are cards, and the heads are hidden. */
const SortField = <Row,>({ columns, sorting }: { columns: readonly Column<Row>[]; sorting: Sorting }) => (
  <div className="data-table-sort-field">
    <SelectField
      label="Ordem"
      value={`${sorting.by} ${sorting.order}`}
      onChange={(chosen) => {
        const [by = '', order] = chosen.split(' ')
        sorting.onSort(by, order === 'asc' ? 'asc' : 'desc')
      }}
      options={columns.flatMap(({ title, sort }) =>
        sort === undefined
          ? []
          : (['asc', 'desc'] as const).map((order) => ({
              value: `${sort} ${order}`,
              label: `${title}, ${directions[order]}`,
            })),
      )}
    />
  </div>
)

type HeadProps<Row> = { columns: readonly Column<Row>[]; hasActions: boolean; sorting: Sorting | undefined }

const Head = <Row,>({ columns, hasActions, sorting }: HeadProps<Row>) => (
  <thead>
    <tr>
      {columns.map((column) => {
        const by = sorting && column.sort
        return (
          <th
            key={column.title}
            scope="col"
            className={classOf(column)}
            aria-sort={by !== undefined && sorting?.by === by ? words[sorting.order] : undefined}
          >
            {by !== undefined && sorting ? <SortButton title={column.title} by={by} sorting={sorting} /> : column.title}
          </th>
        )
      })}
      {hasActions && (
        <th scope="col" className="data-table-actions">
          <ScreenReaderText>Ações</ScreenReaderText>
        </th>
      )}
    </tr>
  </thead>
)

const LoadingRows = <Row,>({ columns, hasActions }: { columns: readonly Column<Row>[]; hasActions: boolean }) =>
  Array.from({ length: skeletonRows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows without content do not move
    <tr key={row}>
      {columns.map((column) => (
        <td key={column.title} className={classOf(column)}>
          <Skeleton variant="text" width="60%" sx={{ ml: column.numeric ? 'auto' : 0 }} />
        </td>
      ))}
      {hasActions && <td className="data-table-actions" />}
    </tr>
  ))

type RowProps<Row> = Pick<Props<Row>, 'columns' | 'rowName' | 'actions' | 'onOpen'> & { row: Row }

const DataRow = <Row,>({ columns, rowName, actions, onOpen, row }: RowProps<Row>) => {
  const offered = actions?.(row)
  return (
    <tr>
      {columns.map((column, index) =>
        index === 0 ? (
          <th key={column.title} scope="row" className={classOf(column)}>
            {onOpen ? (
              <button type="button" className="data-table-open" onClick={() => onOpen(row)}>
                {column.cell(row)}
              </button>
            ) : (
              column.cell(row)
            )}
            {column.beside?.(row)}
          </th>
        ) : (
          <td key={column.title} className={classOf(column)} data-label={column.title}>
            {column.cell(row)}
          </td>
        ),
      )}
      {offered && (
        <td className="data-table-actions">
          {offered.length > 0 && <RowMenu name={rowName(row)} actions={offered} />}
        </td>
      )}
    </tr>
  )
}

const NotLoaded = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <Box role="alert" sx={panelStyle}>
    <NotRead
      title="A lista não pôde ser carregada"
      error={error}
      fallback="O Prosa não está respondendo neste momento. Tente de novo em instantes."
      onRetry={onRetry}
    />
  </Box>
)

/** Rows come from `usePagedList`; the bar above is `TableToolbar`. On a phone each row becomes a card. */
export const DataTable = <Row,>(props: Props<Row>) => {
  const { label, columns, list, rowKey, rowName, actions, sorting, onOpen, empty } = props
  const density = useTableDensity()
  const { rows, error } = list
  if (rows === undefined && error) return <NotLoaded error={error} onRetry={list.retry} />
  if (rows?.length === 0 && !list.hasMore) return <Box sx={panelStyle}>{empty}</Box>
  const hasActions = actions !== undefined
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {sorting && <SortField columns={columns} sorting={sorting} />}
      <Box sx={panelStyle}>
        <table className={`data-table data-table-${density}`} aria-label={label} aria-busy={rows === undefined}>
          <Head columns={columns} hasActions={hasActions} sorting={sorting} />
          <tbody>
            {rows === undefined ? (
              <LoadingRows columns={columns} hasActions={hasActions} />
            ) : (
              rows.map((row) => (
                <DataRow
                  key={rowKey(row)}
                  columns={columns}
                  rowName={rowName}
                  actions={actions}
                  row={row}
                  {...(onOpen && { onOpen })}
                />
              ))
            )}
          </tbody>
        </table>
      </Box>
      {rows?.length === 0 && <Box role="status">Nada encontrado até aqui; há mais para procurar.</Box>}
      {list.hasMore && (
        <Button
          variant="outlined"
          color="inherit"
          disabled={list.loadingMore}
          onClick={list.loadMore}
          sx={{ justifySelf: 'center' }}
        >
          {list.loadingMore ? 'Carregando...' : error ? 'Tentar de novo' : 'Carregar mais'}
        </Button>
      )}
    </Box>
  )
}

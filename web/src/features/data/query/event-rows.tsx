import Box from '@mui/material/Box'
import { plainDate } from '../../../lib/format/format.ts'
import type { Row } from '../read-stream.ts'
import { shortType } from '../service-words.ts'

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const whenOf = (time: unknown): string => {
  if (typeof time !== 'string') return ''
  return `${plainDate(time)} ${new Date(time).toLocaleTimeString('pt-BR')}`
}

interface Column {
  title: string
  cell: (row: Row) => string
}

const eventColumns: readonly Column[] = [
  { title: 'Quando', cell: ({ time }) => whenOf(time) },
  { title: 'Evento', cell: ({ type }) => shortType(textOf(type)) },
  { title: 'Conta', cell: ({ tenant }) => textOf(tenant).slice(0, 8) },
  { title: 'De quê', cell: ({ subject }) => textOf(subject) },
  { title: 'Dados', cell: ({ data }) => textOf(data) },
]

const columnsOf = (rows: readonly Row[]): readonly Column[] =>
  [...new Set(rows.flatMap((row) => Object.keys(row)))].map((title) => ({
    title,
    cell: (row: Row) => textOf(row[title]),
  }))

/** Rows as they came, in a table that scrolls sideways. */
export const EventRows = ({ rows, isTable }: { rows: readonly Row[]; isTable: boolean }) => {
  const columns = isTable ? columnsOf(rows) : eventColumns
  return (
    <Box
      role="region"
      aria-label="Linhas"
      tabIndex={0}
      sx={{
        overflow: 'auto',
        maxHeight: '60vh',
        '& table': { borderCollapse: 'collapse', minWidth: '100%', fontVariantNumeric: 'tabular-nums' },
        '& th': { textAlign: 'left', typography: 'caption', color: 'text.secondary', fontWeight: 500 },
        '& th, & td': { px: 3, py: 1.5, whiteSpace: 'nowrap', borderBottom: '1px solid', borderColor: 'divider' },
        '& td': { maxWidth: 'var(--bubble-width)', overflow: 'hidden', textOverflow: 'ellipsis' },
      }}
    >
      <table>
        <thead>
          <tr>
            {columns.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows do not move
            <tr key={index}>
              {columns.map(({ title, cell }) => (
                <td key={title} title={cell(row)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  )
}

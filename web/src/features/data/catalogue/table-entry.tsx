import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router-dom'
import { CodeBlock } from '../../../components/code-block.tsx'
import { plainDate } from '../../../lib/format/format.ts'
import { paths } from '../../../lib/paths.ts'
import type { ReadyTable } from '../api.ts'
import { addressOfQuestion, questionIn } from '../question.ts'
import { shortType, tableName } from '../service-words.ts'
import { Fields, Unfolding } from './catalogue-entry.tsx'

const fieldOf = ({ sentence, from, isNullable, ...column }: ReadyTable['columns'][number]) => ({
  ...column,
  sentence: from.length === 0 ? sentence : `${sentence} De: ${from.map(shortType).join(', ')}.`,
  isOptional: isNullable,
})

const Details = ({ table }: { table: ReadyTable }) => (
  <Box
    sx={{
      display: 'grid',
      gap: 5,
      pb: 4,
      gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) minmax(0, 1fr)' },
    }}
  >
    <Box sx={{ display: 'grid', gap: 3, alignContent: 'start', gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {table.name} · desde {plainDate(`${table.since}T12:00:00`)}
      </Typography>
      <Fields fields={table.columns.map(fieldOf)} />
    </Box>
    <Box sx={{ display: 'grid', gap: 3, alignContent: 'start', gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography variant="h3" component="h4">
        Exemplo de linha
      </Typography>
      <CodeBlock aria-label={`Exemplo de ${tableName(table.name)}`}>{JSON.stringify(table.example, null, 2)}</CodeBlock>
      <Button
        component={Link}
        to={`${paths.data}?${addressOfQuestion({ ...questionIn(new URLSearchParams()), table: table.name })}`}
        variant="outlined"
        color="inherit"
        sx={{ justifySelf: 'start' }}
      >
        Consultar esta tabela
      </Button>
    </Box>
  </Box>
)

export const TableEntry = ({ table }: { table: ReadyTable }) => (
  <Unfolding title={tableName(table.name)} sentence={table.sentence} isOpened={false}>
    {() => <Details table={table} />}
  </Unfolding>
)

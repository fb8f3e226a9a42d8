import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { PublishedStream } from '@prosa/contracts/http/streams'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import { CodeBlock } from '../../../components/code-block.tsx'
import { CodeText } from '../../../components/code-text.tsx'
import { plainDate } from '../../../lib/format/format.ts'
import { paths } from '../../../lib/paths.ts'
import { addressOfQuestion, questionIn } from '../question.ts'
import { shortType } from '../service-words.ts'
import { LiveExample } from './live-example.tsx'

type PublishedField = PublishedStream['fields'][number]

const notesOf = ({ unit, values, pseudonymOf, isPersonal, isOptional }: PublishedField): string =>
  [
    ...(isPersonal ? ['dado pessoal: só na sua conta, com uma chave ou consulta que o peça'] : []),
    ...(pseudonymOf === undefined ? [] : ['pseudônimo']),
    ...(unit === undefined ? [] : [unit]),
    ...(values === undefined ? [] : [`valores: ${values.join(', ')}`]),
    ...(isOptional ? ['pode faltar'] : []),
  ].join(' · ')

export const Fields = ({ fields }: { fields: readonly PublishedField[] }) => (
  <Box component="dl" sx={{ m: 0, display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
    {fields.map((field) => (
      <Box key={field.name}>
        <Box component="dt" sx={{ fontFamily: 'var(--mono)', fontSize: '0.8125rem', overflowWrap: 'anywhere' }}>
          {field.name}
        </Box>
        <Box component="dd" sx={{ m: 0 }}>
          <CodeText>{field.sentence}</CodeText>
          <Typography variant="caption" sx={{ display: 'block', color: field.isPersonal ? 'warn' : 'text.secondary' }}>
            {notesOf(field)}
          </Typography>
        </Box>
      </Box>
    ))}
  </Box>
)

const Details = ({ entry }: { entry: PublishedStream }) => {
  const { type, since, fields, example } = entry
  const query = addressOfQuestion({ ...questionIn(new URLSearchParams()), types: [type] })
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 5,
        pb: 4,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) minmax(0, 1fr)' },
      }}
    >
      <Box sx={{ display: 'grid', gap: 3, alignContent: 'start', gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Typography variant="caption" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {type} · desde {plainDate(`${since}T12:00:00`)}
        </Typography>
        {fields.length === 0 ? <Typography>Não tem campos próprios.</Typography> : <Fields fields={fields} />}
        <Button
          component={Link}
          to={`${paths.data}?${query}`}
          variant="outlined"
          color="inherit"
          sx={{ justifySelf: 'start' }}
        >
          Consultar só este
        </Button>
      </Box>
      <Box sx={{ display: 'grid', gap: 3, alignContent: 'start', gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Typography variant="h3" component="h4">
          Exemplo dos dados
        </Typography>
        <CodeBlock aria-label={`Exemplo de ${shortType(type)}`}>{JSON.stringify(example, null, 2)}</CodeBlock>
        <LiveExample type={type} />
      </Box>
    </Box>
  )
}

interface UnfoldingProps {
  title: string
  sentence: string
  isOpened: boolean
  children: () => ReactNode
}

/** What it unfolds is made when it is opened: there are a hundred entries. */
export const Unfolding = ({ title, sentence, isOpened, children }: UnfoldingProps) => {
  const [isOpen, setOpen] = useState(isOpened)
  return (
    <Box
      component="details"
      open={isOpen}
      onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}
      sx={{
        px: 4,
        '& + &': { borderTop: '1px solid', borderColor: 'divider' },
        '& > summary': { cursor: 'pointer', py: 3 },
      }}
    >
      <summary>
        <Typography component="span" variant="subtitle2" sx={{ overflowWrap: 'anywhere' }}>
          {title}
        </Typography>
        <Typography component="span" sx={{ color: 'text.secondary', ml: 2 }}>
          <CodeText>{sentence}</CodeText>
        </Typography>
      </summary>
      {isOpen && children()}
    </Box>
  )
}

export const CatalogueEntry = ({ entry, isOpened }: { entry: PublishedStream; isOpened: boolean }) => (
  <Unfolding title={shortType(entry.type)} sentence={entry.sentence} isOpened={isOpened}>
    {() => <Details entry={entry} />}
  </Unfolding>
)

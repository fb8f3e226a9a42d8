import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { ChoiceGroup } from '../../../components/forms/choice-group.tsx'
import { panelStyle } from '../../../components/layout/panel.tsx'
import { NotReadPanel } from '../../../components/notices/not-read-panel.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { catalogueQuery, tablesQuery } from '../api.ts'
import { addressOfQuestion, type Format, faultOf, formats, type Question, questionIn } from '../question.ts'
import { tableName } from '../service-words.ts'
import { CopyAs } from './copy-as.tsx'
import { Download } from './download.tsx'
import { EventChoice } from './event-choice.tsx'
import { PeriodChoice } from './period-choice.tsx'
import { Preview } from './preview.tsx'

const formatWords: Record<Format, { label: string; sentence: string }> = {
  ndjson: { label: 'NDJSON', sentence: 'Um evento em JSON por linha. Para programas.' },
  csv: { label: 'CSV', sentence: 'Uma linha por evento. Para planilhas.' },
  parquet: { label: 'Parquet', sentence: 'Por colunas, comprimido. Para DuckDB, pandas e Spark.' },
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Box component="section" aria-label={title} sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
    <Typography variant="h3" component="h2">
      {title}
    </Typography>
    {children}
  </Box>
)

interface Props {
  question: Question
  onChange: (part: Partial<Question>) => void
}

const events = 'Eventos'

/** `children`: the choice of events, where no ready table is chosen. */
const TableChoice = ({ question, onChange, children }: Props & { children: ReactNode }) => {
  const tables = useQuery(tablesQuery).data ?? []
  if (tables.length === 0) return children
  const chosen = tables.find(({ name }) => name === question.table)
  return (
    <>
      <ChoiceGroup
        label="Eventos ou tabela"
        choices={[{ value: '', label: events }, ...tables.map(({ name }) => ({ value: name, label: tableName(name) }))]}
        value={question.table}
        onChange={(table) =>
          onChange({ table, ...(table !== '' && question.period === 'position' && { period: 'all' as const }) })
        }
      />
      {chosen ? <Typography sx={{ color: 'text.secondary' }}>{chosen.sentence}</Typography> : children}
    </>
  )
}

const PersonalPart = ({ question, onChange }: Props) => (
  <Part title="Dados pessoais">
    <FormControlLabel
      control={<Checkbox checked={question.personal} onChange={(_, checked) => onChange({ personal: checked })} />}
      label="Incluir os dados pessoais dos meus contatos"
    />
    <Typography variant="caption" sx={{ color: 'text.secondary' }}>
      {question.personal
        ? 'Nomes, telefones e textos vêm junto, e cada leitura fica no seu histórico. Do arquivo quem cuida é você. Um programa só os lê com uma chave criada para isso.'
        : 'Nomes, telefones e textos ficam de fora; cada contato é um pseudônimo que só vale na sua conta.'}
    </Typography>
  </Part>
)

const Filters = ({ question, onChange, isAnalyst }: Props & { isAnalyst: boolean }) => {
  const catalogue = useQuery(catalogueQuery)
  return (
    <Box sx={{ ...panelStyle, display: 'grid', gap: 6, p: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Part title="O quê">
        {catalogue.isPending ? (
          <Spinner />
        ) : !catalogue.data ? (
          <NotReadPanel
            title="O catálogo não pôde ser lido"
            error={catalogue.error}
            onRetry={() => void catalogue.refetch()}
          />
        ) : (
          <TableChoice question={question} onChange={onChange}>
            <EventChoice catalogue={catalogue.data} question={question} onChange={onChange} />
          </TableChoice>
        )}
      </Part>
      <Part title="Quando">
        <PeriodChoice question={question} onChange={onChange} />
      </Part>
      <Part title="Formato">
        <ChoiceGroup
          label="Formato"
          choices={formats.map((format) => ({ value: format, label: formatWords[format].label }))}
          value={question.format}
          onChange={(format) => onChange({ format })}
        />
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {formatWords[question.format].sentence}
        </Typography>
      </Part>
      {!isAnalyst && <PersonalPart question={question} onChange={onChange} />}
    </Box>
  )
}

/** Begins as the address says, and writes itself there. The address follows too late for a field that is typed into. */
const useQuestion = () => {
  const [address, setAddress] = useSearchParams()
  const [question, setQuestion] = useState(() => questionIn(address))
  const change = (part: Partial<Question>) => {
    const changed = { ...question, ...part }
    setQuestion(changed)
    setAddress(addressOfQuestion(changed), { replace: true, preventScrollReset: true })
  }
  return { question, change }
}

export const QueryTab = ({ isAnalyst }: { isAnalyst: boolean }) => {
  const { question: asked, change } = useQuestion()
  // The tick of an address that an analyst opens says nothing.
  const question = isAnalyst ? { ...asked, personal: false } : asked
  const fault = faultOf(question)
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 6,
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'var(--list-width) minmax(0, 1fr)' },
      }}
    >
      <Filters question={question} onChange={change} isAnalyst={isAnalyst} />
      <Box sx={{ display: 'grid', gap: 6, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Download key={`download ${JSON.stringify(question)}`} question={question} fault={fault} />
        <Preview key={`preview ${JSON.stringify(question)}`} question={question} fault={fault} />
        <CopyAs question={question} fault={fault} />
      </Box>
    </Box>
  )
}

import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { FlowNodeOf } from '@prosa/contracts/flows/flow-document'
import { maximumRequestHeaders, maximumRequestResults } from '@prosa/contracts/flows/flow-limits'
import type { ReactNode } from 'react'
import AddIcon from '~icons/ic/round-add'
import DeleteIcon from '~icons/ic/round-delete-outline'
import { Field } from '../../../../components/forms/field.tsx'

type Request = FlowNodeOf<'request'>['data']
type Header = Request['headers'][number]
type Result = Request['results'][number]

export const Part = ({ title, help, children }: { title: string; help: string; children: ReactNode }) => (
  <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, minWidth: 0, display: 'grid', gap: 3 }}>
    <Box component="legend" sx={{ p: 0, mb: 2 }}>
      <Typography component="span" variant="subtitle2" sx={{ display: 'block' }}>
        {title}
      </Typography>
      <Typography component="span" variant="caption" sx={{ color: 'text.secondary' }}>
        {help}
      </Typography>
    </Box>
    {children}
  </Box>
)

const Row = ({ remove, onRemove, children }: { remove: string; onRemove: () => void; children: ReactNode }) => (
  <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr) auto', gap: 2, alignItems: 'end' }}>
    {children}
    <IconButton aria-label={remove} color="secondary" onClick={onRemove}>
      <DeleteIcon />
    </IconButton>
  </Box>
)

const Add = ({ children, onClick }: { children: string; onClick: () => void }) => (
  <Button variant="outlined" startIcon={<AddIcon />} onClick={onClick} sx={{ justifySelf: 'start' }}>
    {children}
  </Button>
)

const changedAt = <T,>(all: readonly T[], at: number, part: Partial<T>): T[] =>
  all.map((each, index) => (index === at ? { ...each, ...part } : each))

export const HeaderFields = ({
  headers,
  onChange,
}: {
  headers: readonly Header[]
  onChange: (headers: Header[], field?: string) => void
}) => (
  <Part title="Cabeçalhos" help="Ex: Authorization com Bearer {{segredo:chave}}.">
    {headers.map(({ name, value }, at) => (
      <Row
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and keep their place
        key={at}
        remove={`Excluir o cabeçalho ${at + 1}`}
        onRemove={() => onChange(headers.filter((_, index) => index !== at))}
      >
        <Field
          label={`Cabeçalho ${at + 1}`}
          maxLength={100}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={name}
          onChange={(text) => onChange(changedAt(headers, at, { name: text.trim() }), `header ${at}`)}
        />
        <Field
          label={`Valor ${at + 1}`}
          maxLength={2000}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(text) => onChange(changedAt(headers, at, { value: text }), `header value ${at}`)}
        />
      </Row>
    ))}
    {headers.length < maximumRequestHeaders && (
      <Add onClick={() => onChange([...headers, { name: '', value: '' }])}>Adicionar cabeçalho</Add>
    )}
  </Part>
)

export const ResultFields = ({
  results,
  onChange,
}: {
  results: readonly Result[]
  onChange: (results: Result[], field?: string) => void
}) => (
  <Part title="Da resposta" help="O caminho no JSON, como pedido.itens[0].nome, e a variável que o guarda.">
    {results.map(({ path, variable }, at) => (
      <Row
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and keep their place
        key={at}
        remove={`Excluir o valor da resposta ${at + 1}`}
        onRemove={() => onChange(results.filter((_, index) => index !== at))}
      >
        <Field
          label={`Caminho ${at + 1}`}
          maxLength={200}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={path}
          onChange={(text) => onChange(changedAt(results, at, { path: text }), `path ${at}`)}
        />
        <Field
          label={`Variável ${at + 1}`}
          maxLength={40}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={variable}
          onChange={(text) =>
            onChange(changedAt(results, at, { variable: text.toLowerCase().replaceAll(' ', '_') }), `result ${at}`)
          }
        />
      </Row>
    ))}
    {results.length < maximumRequestResults && (
      <Add onClick={() => onChange([...results, { path: '', variable: '' }])}>Guardar um valor da resposta</Add>
    )}
  </Part>
)

import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import type { FlowNodeOf } from '@prosa/contracts/flows/flow-document'
import { maximumMenuLabelLength } from '@prosa/contracts/flows/flow-limits'
import { freeMenuOutput } from '@prosa/contracts/flows/menu'
import AddIcon from '~icons/ic/round-add'
import DeleteIcon from '~icons/ic/round-delete-outline'
import { Field } from '../../../components/forms/field.tsx'
import { AskAgainFields } from './check-fields.tsx'
import { FlowTextField } from './flow-text-field.tsx'
import { KeywordsField } from './keywords-field.tsx'
import { type NodeFieldsProps, useVariables } from './node-fields.ts'
import { TimeoutFields } from './time-fields.tsx'

type Option = FlowNodeOf<'menu'>['data']['options'][number]

interface OptionProps {
  option: Option
  number: number
  onChange: (change: Partial<Option>, field?: string) => void
  onDelete: (() => void) | undefined
}

const OptionFields = ({ option, number, onChange, onDelete }: OptionProps) => (
  <Box component="li" sx={{ listStyle: 'none', display: 'grid', gap: 2 }}>
    <Field
      label={`Opção ${number}`}
      maxLength={maximumMenuLabelLength}
      value={option.label}
      error={option.label.trim() === '' ? 'Escreva a opção.' : undefined}
      onChange={(label) => onChange({ label }, `label ${option.output}`)}
      end={
        onDelete && (
          <IconButton aria-label={`Excluir a opção ${number}`} color="secondary" onClick={onDelete}>
            <DeleteIcon />
          </IconButton>
        )
      }
    />
    <KeywordsField
      label={`Palavras que também escolhem a opção ${number}`}
      placeholder="Ex: bolo"
      help="O número, o texto e o começo dele já escolhem."
      maximum={10}
      maxLength={40}
      words={option.words}
      onChange={(words) => onChange({ words })}
    />
  </Box>
)

/** A menu needs two options. */
const fewest = 2

export const MenuFields = ({ node, document, onChange }: NodeFieldsProps<'menu'>) => {
  const { text, options, variable, notUnderstood, attempts, timeoutSeconds } = node.data
  const variables = useVariables(document)
  const free = freeMenuOutput(options)
  const change = (output: Option['output'], part: Partial<Option>, field?: string) =>
    onChange({ options: options.map((each) => (each.output === output ? { ...each, ...part } : each)) }, field)
  return (
    <>
      <FlowTextField
        label="Texto"
        value={text}
        variables={variables}
        onChange={(written) => onChange({ text: written }, 'text')}
      />
      <Box component="ol" aria-label="Opções" sx={{ m: 0, p: 0, display: 'grid', gap: 4 }}>
        {options.map((option, at) => (
          <OptionFields
            key={option.output}
            option={option}
            number={at + 1}
            onChange={(part, field) => change(option.output, part, field)}
            onDelete={
              options.length > fewest
                ? () => onChange({ options: options.filter(({ output }) => output !== option.output) })
                : undefined
            }
          />
        ))}
      </Box>
      {free && (
        <Button
          variant="outlined"
          startIcon={<AddIcon />}
          onClick={() => onChange({ options: [...options, { output: free, label: '', words: [] }] })}
          sx={{ justifySelf: 'start' }}
        >
          Adicionar opção
        </Button>
      )}
      <AskAgainFields
        label="Se a resposta não for uma opção"
        attempts={attempts}
        text={notUnderstood}
        variables={variables}
        onAttempts={(times) => onChange({ attempts: times })}
        onText={(written) => onChange({ notUnderstood: written }, 'notUnderstood')}
      />
      <Field
        label="Guardar a opção em (opcional)"
        help="Um nome como pedido. Nos textos, {pedido} vira a opção escolhida."
        maxLength={40}
        autoCapitalize="none"
        spellCheck={false}
        value={variable}
        onChange={(name) => onChange({ variable: name.toLowerCase().replaceAll(' ', '_') }, 'variable')}
      />
      <TimeoutFields
        seconds={timeoutSeconds}
        onChange={(seconds, field) => onChange({ timeoutSeconds: seconds }, field)}
      />
    </>
  )
}

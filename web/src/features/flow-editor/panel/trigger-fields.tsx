import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import type { FlowStart } from '@prosa/contracts/flows/flow-document'
import { oneAnswerSentence } from '@prosa/contracts/flows/one-answer'
import { ChoiceGroup } from '../../../components/forms/choice-group.tsx'
import { Field } from '../../../components/forms/field.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { startNames } from '../node-words.ts'
import { KeywordsField } from './keywords-field.tsx'
import { LabelField } from './label-field.tsx'
import type { NodeFieldsProps } from './node-fields.ts'

const startKinds = Object.entries(startNames).map(([value, label]) => ({ value, label }))

const newStart: Record<FlowStart['kind'], FlowStart> = {
  any_message: { kind: 'any_message' },
  keyword: { kind: 'keyword', words: [], match: 'contains' },
  first_contact: { kind: 'first_contact' },
  out_of_hours: { kind: 'out_of_hours' },
  label_set: { kind: 'label_set', labelId: null },
}

export const TriggerFields = ({ node, onChange }: NodeFieldsProps<'trigger'>) => {
  const { trigger, enabled, start } = node.data
  return (
    <>
      <FormControlLabel
        control={<Switch checked={enabled} onChange={(_, checked) => onChange({ enabled: checked })} />}
        label="Ativar gatilho"
      />
      <SelectField
        label="O que inicia o fluxo"
        value={start.kind}
        onChange={(kind) => onChange({ start: newStart[kind as FlowStart['kind']] })}
        options={startKinds}
      />
      {start.kind === 'keyword' && (
        <>
          <KeywordsField words={start.words} onChange={(words) => onChange({ start: { ...start, words } })} />
          <ChoiceGroup
            label="Onde está a palavra"
            value={start.match}
            onChange={(match) => onChange({ start: { ...start, match } })}
            choices={[
              { value: 'equals', label: 'É a mensagem inteira' },
              { value: 'contains', label: 'Está na mensagem' },
            ]}
          />
        </>
      )}
      {start.kind === 'label_set' && (
        <LabelField labelId={start.labelId} onChange={(labelId) => onChange({ start: { ...start, labelId } })} />
      )}
      {start.kind !== 'label_set' && (
        <Typography sx={{ color: 'text.secondary', textWrap: 'pretty' }}>{oneAnswerSentence}</Typography>
      )}
      <Field
        label="Texto do gatilho"
        help="Só você vê este texto."
        maxLength={300}
        value={trigger}
        onChange={(text) => onChange({ trigger: text }, 'trigger')}
      />
    </>
  )
}

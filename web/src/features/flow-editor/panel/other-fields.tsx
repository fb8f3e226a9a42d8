import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { delaySecondsOf } from '@prosa/contracts/flows/check-flow'
import { maximumWaitSeconds } from '@prosa/contracts/flows/flow-document'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ChoiceGroup } from '../../../components/forms/choice-group.tsx'
import { Field } from '../../../components/forms/field.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { TextAreaField } from '../../../components/forms/text-area-field.tsx'
import { flowNamesQuery } from '../api.ts'
import { timeUnits, unitOf } from '../node-words.ts'
import { FlowTextField } from './flow-text-field.tsx'
import { LabelField } from './label-field.tsx'
import { type NodeFieldsProps, variablesOf } from './node-fields.ts'

interface Props {
  label: string
  /** Text, because invalid input must stay editable. */
  seconds: string
  error?: string | undefined
  onChange: (seconds: string) => void
}

const isWhole = (text: string) => /^\d+$/.test(text.trim())

const TimeField = ({ label, seconds, error, onChange }: Props) => {
  // An empty field keeps the chosen unit.
  const [unit, setUnit] = useState(() => (isWhole(seconds) ? unitOf(Number(seconds)) : 1))
  const shownUnit = isWhole(seconds) && Number(seconds) % unit !== 0 ? 1 : unit
  const amount = isWhole(seconds) ? String(Number(seconds) / shownUnit) : seconds
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 2, alignItems: 'start' }}>
      <Field
        label={label}
        inputMode="numeric"
        autoComplete="off"
        maxLength={7}
        value={amount}
        error={error}
        onChange={(text) => onChange(isWhole(text) ? String(Number(text) * shownUnit) : text)}
      />
      <SelectField
        label="Unidade"
        value={String(shownUnit)}
        onChange={(chosen) => {
          setUnit(Number(chosen))
          if (isWhole(amount)) onChange(String(Number(amount) * Number(chosen)))
        }}
        options={timeUnits.map(({ seconds, many }) => ({ value: String(seconds), label: many }))}
      />
    </Box>
  )
}

export const DelayFields = ({ node, onChange }: NodeFieldsProps<'delay'>) => {
  const { delay, description } = node.data
  return (
    <>
      <TimeField
        label="Tempo"
        seconds={delay}
        error={delaySecondsOf(delay) === undefined ? 'De 1 segundo a 30 dias.' : undefined}
        onChange={(seconds) => onChange({ delay: seconds.slice(0, 10) }, 'delay')}
      />
      <TextAreaField
        label="Descrição"
        help="Só você vê esta descrição."
        rows={3}
        maxLength={300}
        value={description}
        onChange={(text) => onChange({ description: text }, 'description')}
      />
    </>
  )
}

/** Invalid input stays in the field until it is a valid duration. */
const Timeout = ({ seconds, onChange }: { seconds: number; onChange: (seconds: number) => void }) => {
  const [typed, setTyped] = useState(String(seconds))
  const known = delaySecondsOf(typed)
  return (
    <TimeField
      label="Esperar até"
      seconds={known === undefined || known === seconds ? typed : String(seconds)}
      error={known === undefined ? 'De 1 segundo a 30 dias.' : undefined}
      onChange={(text) => {
        setTyped(text)
        const time = delaySecondsOf(text)
        if (time !== undefined && time <= maximumWaitSeconds) onChange(time)
      }}
    />
  )
}

export const QuestionFields = ({ node, document, onChange }: NodeFieldsProps<'question'>) => {
  const { question, variable, timeoutSeconds } = node.data
  return (
    <>
      <FlowTextField
        label="Pergunta"
        value={question}
        variables={variablesOf(document)}
        onChange={(text) => onChange({ question: text }, 'question')}
      />
      <Field
        label="Guardar a resposta em"
        help="Um nome como cidade ou numero_do_pedido. Nos textos, {cidade} vira a resposta."
        maxLength={40}
        autoCapitalize="none"
        spellCheck={false}
        value={variable}
        onChange={(name) => onChange({ variable: name.toLowerCase().replaceAll(' ', '_') }, 'variable')}
      />
      <FormControlLabel
        control={
          <Switch
            checked={timeoutSeconds !== null}
            onChange={(_, checked) => onChange({ timeoutSeconds: checked ? 3600 : null })}
          />
        }
        label="Seguir por “Não respondeu” depois de um tempo"
      />
      {timeoutSeconds !== null && (
        <Timeout seconds={timeoutSeconds} onChange={(seconds) => onChange({ timeoutSeconds: seconds }, 'timeout')} />
      )}
    </>
  )
}

export const LabelFields = ({ node, onChange }: NodeFieldsProps<'label'>) => (
  <>
    <LabelField labelId={node.data.labelId} onChange={(labelId) => onChange({ labelId })} />
    <ChoiceGroup
      label="O que fazer"
      value={node.data.isLabelled ? 'put' : 'take'}
      onChange={(chosen) => onChange({ isLabelled: chosen === 'put' })}
      choices={[
        { value: 'put', label: 'Colocar' },
        { value: 'take', label: 'Tirar' },
      ]}
    />
  </>
)

export const HandoverFields = ({ node, document, onChange }: NodeFieldsProps<'handover'>) => (
  <FlowTextField
    label="Mensagem antes de transferir"
    value={node.data.message}
    variables={variablesOf(document)}
    help="Pode ficar vazia. A conversa vai para Aguardando, e nenhum fluxo começa com a pessoa até alguém finalizar a conversa."
    onChange={(text) => onChange({ message: text }, 'message')}
  />
)

export const FlowFields = ({ node, flowId, onChange }: NodeFieldsProps<'flow'>) => {
  const { data = [], isSuccess } = useQuery(flowNamesQuery)
  const chosen = node.data.flowId
  const others = data.filter(({ id }) => id !== flowId || id === chosen)
  const isGone = chosen !== null && !others.some(({ id }) => id === chosen)
  return (
    <SelectField
      label="Fluxo"
      value={chosen ?? ''}
      onChange={(id) => onChange({ flowId: id === '' ? null : id })}
      options={[
        { value: '', label: 'Escolha um fluxo' },
        ...others.map(({ id, name, status }) => ({
          value: id,
          label: status === 'active' ? name : `${name} (não está ativo)`,
        })),
        ...(isGone ? [{ value: chosen, label: isSuccess ? 'Fluxo excluído' : 'Fluxo' }] : []),
      ]}
    />
  )
}

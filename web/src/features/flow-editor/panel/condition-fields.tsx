import { type FlowTest, maximumComparedTexts, textsOf } from '@prosa/contracts/flows/flow-document'
import { useState } from 'react'
import { Field } from '../../../components/forms/field.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { testNames } from '../node-words.ts'
import { KeywordsField } from './keywords-field.tsx'
import { LabelField } from './label-field.tsx'
import { type NodeFieldsProps, useVariables } from './node-fields.ts'

const testKinds = Object.entries(testNames).map(([value, label]) => ({ value, label }))
const comparisons = [
  { value: 'equal', label: 'igual a' },
  { value: 'above', label: 'acima de' },
  { value: 'below', label: 'abaixo de' },
]

const textIn = (test: FlowTest): string => {
  if (test.kind === 'equals' || test.kind === 'contains') return textsOf(test)[0] ?? ''
  if (test.kind === 'number') return String(test.value)
  return test.kind === 'matches' ? test.pattern : ''
}

const textsIn = (test: FlowTest): string[] => {
  if (test.kind === 'equals' || test.kind === 'contains') return [...textsOf(test)]
  return textIn(test) === '' ? [] : [textIn(test)]
}

/** Keeps the fields that both kinds of test share. */
const testOf = (kind: FlowTest['kind'], before: FlowTest): FlowTest => {
  const variable = 'variable' in before ? before.variable : 'resposta'
  switch (kind) {
    case 'equals':
    case 'contains':
      return { kind, variable, values: textsIn(before) }
    case 'matches':
      return { kind, variable, pattern: textIn(before) }
    case 'number':
      return { kind, variable, comparison: 'equal', value: Number(textIn(before).replace(',', '.')) || 0 }
    case 'yes':
    case 'no':
      return { kind, variable }
    case 'open':
      return { kind }
    case 'label':
      return { kind, labelId: before.kind === 'label' ? before.labelId : null }
  }
}

/** '1,5' → 1.5; undefined if not a number. */
const numberOf = (text: string): number | undefined => {
  const number = Number(text.trim().replace(',', '.'))
  return text.trim() !== '' && Number.isFinite(number) ? number : undefined
}

const NumberValue = ({ value, onChange }: { value: number; onChange: (value: number) => void }) => {
  const [typed, setTyped] = useState(() => String(value).replace('.', ','))
  const shown = numberOf(typed) === value || numberOf(typed) === undefined ? typed : String(value).replace('.', ',')
  return (
    <Field
      label="Número"
      inputMode="decimal"
      maxLength={20}
      value={shown}
      error={numberOf(shown) === undefined ? 'Escreva um número.' : undefined}
      onChange={(text) => {
        setTyped(text)
        const number = numberOf(text)
        if (number !== undefined) onChange(number)
      }}
    />
  )
}

export const ConditionFields = ({ node, document, onChange }: NodeFieldsProps<'condition'>) => {
  const { condition, test } = node.data
  const variables = useVariables(document)
  return (
    <>
      <Field
        label="Texto da condição"
        help="Só você vê este texto."
        maxLength={300}
        value={condition}
        onChange={(text) => onChange({ condition: text }, 'condition')}
      />
      <SelectField
        label="Verdadeiro quando"
        value={test.kind}
        onChange={(kind) => onChange({ test: testOf(kind as FlowTest['kind'], test) })}
        options={testKinds}
      />
      {'variable' in test && (
        <SelectField
          label="Qual resposta"
          value={test.variable}
          onChange={(variable) => onChange({ test: { ...test, variable } })}
          options={[...new Set([...variables, test.variable])].map((name) => ({
            value: name,
            label: name === 'resposta' ? 'A última resposta' : `{${name}}`,
          }))}
        />
      )}
      {(test.kind === 'equals' || test.kind === 'contains') && (
        <KeywordsField
          label="Textos"
          placeholder="Ex: bolo"
          help="Basta um deles. Enter põe o texto na lista. Maiúsculas e acentos não fazem diferença."
          maximum={maximumComparedTexts}
          maxLength={500}
          takesCommas
          words={textsOf(test)}
          error={textsOf(test).length === 0 ? 'Escreva pelo menos um texto.' : undefined}
          onChange={(values) => onChange({ test: { kind: test.kind, variable: test.variable, values } })}
        />
      )}
      {test.kind === 'matches' && (
        <Field
          label="Padrão"
          help="Uma expressão regular, como ^\d{5}-?\d{3}$ para um CEP."
          maxLength={500}
          spellCheck={false}
          autoCapitalize="none"
          value={test.pattern}
          onChange={(pattern) => onChange({ test: { ...test, pattern } }, 'value')}
        />
      )}
      {test.kind === 'number' && (
        <>
          <SelectField
            label="Comparação"
            value={test.comparison}
            onChange={(comparison) => onChange({ test: { ...test, comparison: comparison as typeof test.comparison } })}
            options={comparisons}
          />
          <NumberValue value={test.value} onChange={(value) => onChange({ test: { ...test, value } }, 'value')} />
        </>
      )}
      {test.kind === 'label' && (
        <LabelField labelId={test.labelId} onChange={(labelId) => onChange({ test: { ...test, labelId } })} />
      )}
    </>
  )
}

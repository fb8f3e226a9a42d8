import { faultOfExpression } from '@prosa/contracts/flows/calculation'
import { maximumCalculationLength, maximumDecimals } from '@prosa/contracts/values/answers/calculate'
import { Field } from '../../../components/forms/field.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { FlowTextField } from './flow-text-field.tsx'
import { type NodeFieldsProps, useVariables } from './node-fields.ts'
import { StoredField } from './stored-field.tsx'

const asManyAsItTakes = ''

export const CalculationFields = ({ node, document, onChange }: NodeFieldsProps<'calculation'>) => {
  const { expression, variable, decimals, fieldId } = node.data
  return (
    <>
      <FlowTextField
        label="Conta"
        help="Com + − × ÷ (ou * e /), parênteses e números como 2,50. Ex: ({quantidade} + 1) * {preco}."
        error={expression.trim() === '' ? undefined : faultOfExpression(expression)}
        maxLength={maximumCalculationLength}
        value={expression}
        variables={useVariables(document)}
        onChange={(text) => onChange({ expression: text.slice(0, maximumCalculationLength) }, 'expression')}
      />
      <Field
        label="Guardar o resultado em"
        help="Um nome como total. Nos textos, {total} vira o resultado."
        maxLength={40}
        autoCapitalize="none"
        spellCheck={false}
        value={variable}
        onChange={(name) => onChange({ variable: name.toLowerCase().replaceAll(' ', '_') }, 'variable')}
      />
      <SelectField
        label="Casas decimais"
        help="O resultado é arredondado. Dinheiro tem duas."
        value={decimals === null ? asManyAsItTakes : String(decimals)}
        onChange={(chosen) => onChange({ decimals: chosen === asManyAsItTakes ? null : Number(chosen) })}
        options={[
          { value: asManyAsItTakes, label: 'As que tiver, até quatro' },
          ...Array.from({ length: maximumDecimals + 1 }, (_, count) => ({
            value: String(count),
            label: count === 0 ? 'Nenhuma' : String(count),
          })),
        ]}
      />
      <StoredField fieldId={fieldId} type="number" onChange={(id) => onChange({ fieldId: id })} />
    </>
  )
}

import { delaySecondsOf } from '@prosa/contracts/flows/check-flow'
import { useQuery } from '@tanstack/react-query'
import { ChoiceGroup } from '../../../components/forms/choice-group.tsx'
import { Field } from '../../../components/forms/field.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { TextAreaField } from '../../../components/forms/text-area-field.tsx'
import { flowNamesQuery } from '../api.ts'
import { CheckFields } from './check-fields.tsx'
import { FlowTextField } from './flow-text-field.tsx'
import { LabelField } from './label-field.tsx'
import { type NodeFieldsProps, useVariables } from './node-fields.ts'
import { TimeField, TimeoutFields } from './time-fields.tsx'

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

export const QuestionFields = ({ node, document, onChange }: NodeFieldsProps<'question'>) => {
  const { question, variable, timeoutSeconds, check } = node.data
  return (
    <>
      <FlowTextField
        label="Pergunta"
        value={question}
        variables={useVariables(document)}
        onChange={(text) => onChange({ question: text }, 'question')}
      />
      <CheckFields
        check={check}
        variables={useVariables(document)}
        onChange={(chosen, field) => onChange({ check: chosen }, field)}
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
      <TimeoutFields
        seconds={timeoutSeconds}
        onChange={(seconds, field) => onChange({ timeoutSeconds: seconds }, field)}
      />
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
    variables={useVariables(document)}
    help="Pode ficar vazia. A conversa vai para Aguardando, e nenhum fluxo começa com a pessoa até alguém finalizar a conversa."
    onChange={(text) => onChange({ message: text }, 'message')}
  />
)

export const FinishFields = ({ node, document, onChange }: NodeFieldsProps<'finish'>) => (
  <>
    <FlowTextField
      label="Mensagem antes de finalizar"
      value={node.data.message}
      variables={useVariables(document)}
      help="Pode ficar vazia. A conversa sai da fila como resolvida pelo fluxo."
      onChange={(text) => onChange({ message: text }, 'message')}
    />
    <FlowTextField
      label="Resposta a quem só agradece"
      value={node.data.thanks}
      variables={useVariables(document)}
      help="Vai uma vez, e a conversa continua finalizada. Quem escreve outra coisa espera por uma pessoa."
      onChange={(text) => onChange({ thanks: text }, 'thanks')}
    />
  </>
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

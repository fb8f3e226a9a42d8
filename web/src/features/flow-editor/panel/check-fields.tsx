import type { AnswerCheck } from '@prosa/contracts/flows/flow-document'
import { maximumMenuAttempts } from '@prosa/contracts/flows/flow-limits'
import { type AnswerType, answerTypeNames, answerTypes } from '@prosa/contracts/values/answers/answer-type'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { plural } from '../../../lib/format/format.ts'
import { FlowTextField } from './flow-text-field.tsx'
import { StoredField } from './stored-field.tsx'

interface AskAgainProps {
  label: string
  attempts: number
  text: string
  variables: readonly string[]
  onAttempts: (attempts: number) => void
  onText: (text: string) => void
}

export const AskAgainFields = ({ label, attempts, text, variables, onAttempts, onText }: AskAgainProps) => (
  <>
    <SelectField
      label={label}
      value={String(attempts)}
      onChange={(chosen) => onAttempts(Number(chosen))}
      options={Array.from({ length: maximumMenuAttempts + 1 }, (_, times) => ({
        value: String(times),
        label: times === 0 ? 'Seguir por “Não entendi”' : `Perguntar de novo até ${plural(times, 'vez', 'vezes')}`,
      }))}
    />
    {attempts > 0 && (
      <FlowTextField label="Texto de “Não entendi”" value={text} variables={variables} onChange={onText} />
    )}
  </>
)

const anyAnswer = 'any'

/** Asks again in words that say what is wanted. */
const againTexts: Record<AnswerType, string> = {
  text: 'Não entendi. Pode escrever a resposta, por favor?',
  number: 'Não entendi o número. Responda só com ele, como 3 ou 1.500,50.',
  email: 'Este e-mail não parece certo. Pode escrever de novo, como nome@exemplo.com.br?',
  phone: 'Não entendi o telefone. Escreva com DDD, como (11) 98888-7777.',
  document: 'Este CPF ou CNPJ não confere. Pode escrever de novo?',
  date: 'Não entendi a data. Escreva como 27/11/2026.',
  yes_no: 'Não entendi. Responda sim ou não.',
  file: 'Ainda não recebi o arquivo. Pode enviar uma foto ou um documento?',
}

const helps: Record<AnswerType, string> = {
  text: 'Qualquer texto. Um áudio ou uma foto sem palavras não serve.',
  number: 'Como 3, 1.500,50, R$ 20 ou meia dúzia.',
  email: 'Um endereço, como nome@exemplo.com.br.',
  phone: 'Com DDD. De outros países, com + e o código.',
  document: 'Os dígitos são conferidos.',
  date: 'Como 27/11/2026, 27 de novembro, amanhã ou sexta. Sem o ano, é o próximo dia.',
  yes_no: 'Também claro, pode ser, de jeito nenhum ou 👍. Guarda sim ou não.',
  file: 'Uma foto, um vídeo, um áudio ou um documento.',
}

interface Props {
  check: AnswerCheck | undefined
  variables: readonly string[]
  /** `field`: what was typed into; undefined for a choice. */
  onChange: (check: AnswerCheck | undefined, field?: string) => void
}

export const CheckFields = ({ check, variables, onChange }: Props) => {
  const choose = (chosen: string) => {
    const type = answerTypes.find((each) => each === chosen)
    if (!type) return onChange(undefined)
    const isOurs = !check || check.again === againTexts[check.type]
    // A field holds values of one type.
    onChange({ type, again: isOurs ? againTexts[type] : check.again, attempts: check?.attempts ?? 2 })
  }
  return (
    <>
      <SelectField
        label="Tipo de resposta"
        help={check ? helps[check.type] : undefined}
        value={check?.type ?? anyAnswer}
        onChange={choose}
        options={[
          { value: anyAnswer, label: 'Qualquer resposta' },
          ...answerTypes.map((type) => ({ value: type, label: answerTypeNames[type] })),
        ]}
      />
      {check && check.type !== 'file' && (
        <StoredField
          fieldId={check.fieldId ?? null}
          type={check.type}
          onChange={(fieldId) => onChange({ ...check, fieldId })}
        />
      )}
      {check && (
        <AskAgainFields
          label="Se a resposta for de outro tipo"
          attempts={check.attempts}
          text={check.again}
          variables={variables}
          onAttempts={(attempts) => onChange({ ...check, attempts })}
          onText={(again) => onChange({ ...check, again }, 'again')}
        />
      )}
    </>
  )
}

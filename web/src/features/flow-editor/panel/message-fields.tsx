import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { Field } from '../../../components/forms/field.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { plural } from '../../../lib/format/format.ts'
import { FlowTextField } from './flow-text-field.tsx'
import { MessageFile } from './message-file.tsx'
import { type NodeFieldsProps, useVariables } from './node-fields.ts'

const typingTimes = [0, 1, 2, 3, 5, 8, 10, 15, 20, 25]

const typingName = (seconds: number) =>
  seconds === 0 ? 'Não mostrar' : `Por ${plural(seconds, 'segundo', 'segundos')}`

export const MessageFields = ({ node, document, onChange }: NodeFieldsProps<'message'>) => {
  const { enabled, title, message, file, typingSeconds } = node.data
  const times = typingTimes.includes(typingSeconds) ? typingTimes : [...typingTimes, typingSeconds]
  return (
    <>
      <FormControlLabel
        control={<Switch checked={enabled} onChange={(_, checked) => onChange({ enabled: checked })} />}
        label="Ativar mensagem"
      />
      <Field
        label="Título"
        help="Só você vê este título."
        maxLength={100}
        value={title}
        onChange={(text) => onChange({ title: text }, 'title')}
      />
      <FlowTextField
        label="Mensagem"
        value={message}
        variables={useVariables(document)}
        help={file ? 'Vai como legenda do arquivo.' : undefined}
        onChange={(text) => onChange({ message: text }, 'message')}
      />
      <MessageFile file={file} onChange={(chosen) => onChange({ file: chosen })} />
      <SelectField
        label="Mostrar “digitando…” antes"
        value={String(typingSeconds)}
        onChange={(seconds) => onChange({ typingSeconds: Number(seconds) })}
        options={times.map((seconds) => ({ value: String(seconds), label: typingName(seconds) }))}
      />
    </>
  )
}

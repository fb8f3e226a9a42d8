import { Field } from '../../components/forms/field.tsx'

interface Props {
  value: string
  onChange: (reason: string) => void
  label?: string
  help?: string
  autoFocus?: boolean
  error?: string | undefined
}

export const ReasonField = ({ label = 'Motivo', help = 'Fica no histórico.', ...field }: Props) => (
  <Field {...field} label={label} name="reason" help={help} maxLength={500} autoComplete="off" />
)

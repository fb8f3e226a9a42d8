import { Field } from '../../../components/field.tsx'

interface ReasonFieldProps {
  reason: string
  onReason: (reason: string) => void
  help?: string
  error?: string | undefined
}

export const ReasonField = ({
  reason,
  onReason,
  error,
  help = 'Opcional. Fica no histórico da transação.',
}: ReasonFieldProps) => (
  <Field
    label="Motivo"
    name="reason"
    help={help}
    error={error}
    maxLength={500}
    autoComplete="off"
    value={reason}
    onChange={onReason}
  />
)

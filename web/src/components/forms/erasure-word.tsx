import { Field } from './field.tsx'

const word = 'apagar'

export const isErasureMeant = (typed: string): boolean => typed.trim().toLowerCase() === word

interface Props {
  value: string
  onChange: (typed: string) => void
  autoFocus?: boolean
}

export const ErasureWord = ({ value, onChange, autoFocus }: Props) => (
  <Field
    label={`Para confirmar, digite “${word}”`}
    autoComplete="off"
    autoCapitalize="none"
    autoFocus={autoFocus}
    value={value}
    onChange={onChange}
  />
)

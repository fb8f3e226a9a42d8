import { Field } from './field.tsx'

const word = 'apagar'

/** Whether what was typed confirms that something is to be erased for good. */
export const isErasureMeant = (typed: string): boolean => typed.trim().toLowerCase() === word

interface Props {
  value: string
  onChange: (typed: string) => void
  autoFocus?: boolean
}

/** What has to be typed before something is erased for good. */
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

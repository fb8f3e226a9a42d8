import type { TextareaHTMLAttributes } from 'react'
import { FieldFrame } from './field-frame.tsx'

type Props = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value' | 'id'> & {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  help?: string
}

export const TextAreaField = ({ label, value, onChange, error, help, ...area }: Props) => (
  <FieldFrame label={label} error={error} help={help}>
    {(tied) => (
      <textarea rows={5} {...area} {...tied} value={value} onChange={(event) => onChange(event.target.value)} />
    )}
  </FieldFrame>
)

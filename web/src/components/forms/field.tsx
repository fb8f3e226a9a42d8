import type { InputHTMLAttributes, ReactNode } from 'react'
import { FieldFrame } from './field-frame.tsx'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'id'> & {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  help?: string
  end?: ReactNode
}

export const Field = ({ label, value, onChange, error, help, end, ...input }: Props) => (
  <FieldFrame label={label} error={error} help={help}>
    {(tied) => (
      <>
        <input {...input} {...tied} value={value} onChange={(event) => onChange(event.target.value)} />
        {end}
      </>
    )}
  </FieldFrame>
)

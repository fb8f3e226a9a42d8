import type { SelectHTMLAttributes } from 'react'
import { FieldFrame } from './field-frame.tsx'

type Props = Pick<SelectHTMLAttributes<HTMLSelectElement>, 'autoFocus' | 'name'> & {
  label: string
  value: string
  onChange: (value: string) => void
  options: readonly { value: string; label: string }[]
  error?: string | undefined
  help?: string | undefined
}

/** A native select: phones show their own picker. */
export const SelectField = ({ label, value, onChange, options, error, help, ...select }: Props) => (
  <FieldFrame label={label} error={error} help={help}>
    {(tied) => (
      <select {...select} {...tied} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </FieldFrame>
)

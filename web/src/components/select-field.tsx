import type { SelectHTMLAttributes } from 'react'
import { FieldFrame } from './field-frame.tsx'

type Props = Pick<SelectHTMLAttributes<HTMLSelectElement>, 'autoFocus'> & {
  label: string
  value: string
  onChange: (value: string) => void
  options: readonly { value: string; label: string }[]
  help?: string
}

/** A native select: phones show their own picker. */
export const SelectField = ({ label, value, onChange, options, help, ...select }: Props) => (
  <FieldFrame label={label} help={help}>
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

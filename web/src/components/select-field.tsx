import { FieldFrame } from './field-frame.tsx'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  options: readonly { value: string; label: string }[]
}

/** A labelled choice out of a few: label above. The browser's own list, which phones show as they are used to. */
export const SelectField = ({ label, value, onChange, options }: Props) => (
  <FieldFrame label={label}>
    {(tied) => (
      <select {...tied} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </FieldFrame>
)

import { type TextareaHTMLAttributes, useId } from 'react'
import './field.css'

type Props = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value' | 'id'> & {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  help?: string
}

/** A labelled text of several lines: label above, help or the error below. */
export const TextAreaField = ({ label, value, onChange, error, help, ...area }: Props) => {
  const id = useId()
  const note = error ?? help
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={error ? 'field-box field-refused' : 'field-box'}>
        <textarea
          rows={5}
          {...area}
          id={id}
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? `${id}-note` : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
      {note && (
        <p id={`${id}-note`} className={error ? 'field-error' : 'field-help'}>
          {note}
        </p>
      )}
    </div>
  )
}

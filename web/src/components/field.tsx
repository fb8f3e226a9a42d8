import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import './field.css'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'id'> & {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  help?: string
  /** A small button inside the field's end, e.g. 'Mostrar senha'. */
  end?: ReactNode
}

/** A labelled one-line input: label above, help or the error below. */
export const Field = ({ label, value, onChange, error, help, end, ...input }: Props) => {
  const id = useId()
  const note = error ?? help
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={error ? 'field-box field-refused' : 'field-box'}>
        <input
          {...input}
          id={id}
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? `${id}-note` : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
        {end}
      </div>
      {note && (
        <p id={`${id}-note`} className={error ? 'field-error' : 'field-help'}>
          {note}
        </p>
      )}
    </div>
  )
}

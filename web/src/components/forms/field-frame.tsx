import { type ReactNode, useId } from 'react'
import './field.css'

interface Props {
  label: string
  error?: string | undefined
  help?: string | undefined
  children: (tied: Tied) => ReactNode
}

interface Tied {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

export const FieldFrame = ({ label, error, help, children }: Props) => {
  const id = useId()
  const note = error ?? help
  const noteId = `${id}-note`
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={error ? 'field-box field-refused' : 'field-box'}>
        {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': note ? noteId : undefined })}
      </div>
      {note && (
        <p id={noteId} className={error ? 'field-error' : 'field-help'}>
          {note}
        </p>
      )}
    </div>
  )
}

import { useState } from 'react'
import { Field } from './field.tsx'

type Props = {
  label: string
  name: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  help?: string
  autoComplete: 'current-password' | 'new-password'
}

export const PasswordField = (props: Props) => {
  const [shown, setShown] = useState(false)
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      end={
        <button
          type="button"
          className="field-toggle"
          aria-label={shown ? `Ocultar: ${props.label}` : `Mostrar: ${props.label}`}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Ocultar' : 'Mostrar'}
        </button>
      }
    />
  )
}

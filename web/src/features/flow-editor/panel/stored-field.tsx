import { useState } from 'react'
import { NewContactFieldDialog } from '../../../components/contact-fields/contact-field-dialog.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { type FieldType, useContactFields } from '../../../lib/account/contact-fields.ts'

const newField = 'new'

interface Props {
  fieldId: string | null
  type: FieldType
  onChange: (fieldId: string | null) => void
}

/** Where a value is stored beside its variable. */
export const StoredField = ({ fieldId, type, onChange }: Props) => {
  const fields = useContactFields().filter((field) => field.type === type)
  const [isCreating, setCreating] = useState(false)
  const isGone = fieldId !== null && !fields.some(({ id }) => id === fieldId)
  return (
    <>
      <SelectField
        label="Guardar também no contato"
        help="Aparece nos detalhes da conversa e vale em todos os textos."
        value={fieldId ?? ''}
        onChange={(chosen) => {
          if (chosen === newField) setCreating(true)
          else onChange(chosen === '' ? null : chosen)
        }}
        options={[
          { value: '', label: 'Não guardar' },
          ...fields.map(({ id, name }) => ({ value: id, label: name })),
          ...(isGone ? [{ value: fieldId, label: 'Campo excluído' }] : []),
          { value: newField, label: 'Novo campo...' },
        ]}
      />
      {isCreating && (
        <NewContactFieldDialog type={type} onCreated={({ id }) => onChange(id)} onClose={() => setCreating(false)} />
      )}
    </>
  )
}

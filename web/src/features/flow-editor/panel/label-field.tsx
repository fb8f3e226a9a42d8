import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { labelsQuery } from '../../../lib/account/labels.ts'
import { settingsSection } from '../../../lib/paths.ts'

interface Props {
  labelId: string | null
  onChange: (labelId: string | null) => void
}

export const LabelField = ({ labelId, onChange }: Props) => {
  const { data = [], isSuccess } = useQuery(labelsQuery)
  const isGone = labelId !== null && isSuccess && !data.some(({ id }) => id === labelId)
  return (
    <>
      <SelectField
        label="Etiqueta"
        value={labelId ?? ''}
        onChange={(chosen) => onChange(chosen === '' ? null : chosen)}
        options={[
          { value: '', label: 'Escolha uma etiqueta' },
          ...data.map(({ id, name }) => ({ value: id, label: name })),
          ...(labelId !== null && (isGone || !isSuccess)
            ? [{ value: labelId, label: isGone ? 'Etiqueta excluída' : 'Etiqueta' }]
            : []),
        ]}
      />
      {isSuccess && data.length === 0 && (
        <span>
          Ainda não há etiquetas. <Link to={settingsSection('etiquetas')}>Criar etiquetas</Link>
        </span>
      )}
    </>
  )
}

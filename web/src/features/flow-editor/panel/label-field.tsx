import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import AddIcon from '~icons/ic/round-add'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { LabelFormDialog } from '../../../components/labels/label-form-dialog.tsx'
import { labelsQuery } from '../../../lib/account/labels.ts'
import { rarestColour } from '../../../lib/account/save-label.ts'

interface Props {
  labelId: string | null
  onChange: (labelId: string | null) => void
}

export const LabelField = ({ labelId, onChange }: Props) => {
  const { data = [], isSuccess } = useQuery(labelsQuery)
  const [isCreating, setCreating] = useState(false)
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
      {isSuccess && (
        <Button startIcon={<AddIcon />} onClick={() => setCreating(true)} sx={{ justifySelf: 'start' }}>
          Nova etiqueta
        </Button>
      )}
      {isCreating && (
        <LabelFormDialog
          firstColour={rarestColour(data)}
          onDone={({ id }) => onChange(id)}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  )
}

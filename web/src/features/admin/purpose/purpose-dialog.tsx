import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import type { ReadingPurpose } from '@prosa/contracts/values/reading'
import { readingPurposeNames } from '@prosa/contracts/values/reading-words'
import { type SubmitEvent, useId, useState } from 'react'
import { FormSummary } from '../../../components/form-summary.tsx'
import { SelectField } from '../../../components/select-field.tsx'
import { TextAreaField } from '../../../components/text-area-field.tsx'
import { ApiProblem, sentenceOf } from '../../../lib/http.ts'
import { useStatePurpose } from './api.ts'

const purposes = Object.keys(readingPurposeNames) as ReadingPurpose[]
const options = [
  { value: '', label: 'Escolha um motivo' },
  ...purposes.map((value) => ({ value, label: readingPurposeNames[value] })),
]

interface Props {
  /** Null: all tenants. */
  tenant: string | null
  onClose: () => void
}

/** Asks for the purpose before personal data is shown. */
export const PurposeDialog = ({ tenant, onClose }: Props) => {
  const id = useId()
  const [chosen, setChosen] = useState('')
  const [details, setDetails] = useState('')
  const stating = useStatePurpose()
  const problem = stating.error instanceof ApiProblem ? stating.error : null
  const purpose = purposes.find((each) => each === chosen)
  const isOther = purpose === 'other'
  const isComplete = purpose !== undefined && (!isOther || details.trim() !== '')

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isComplete || stating.isPending) return
    stating.mutate({ tenantId: tenant, purpose, details: details.trim() || undefined })
  }

  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={`${id}t`} aria-describedby={`${id}s`}>
      <form noValidate onSubmit={submit}>
        <DialogTitle id={`${id}t`}>Por que você precisa ver estes dados?</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <DialogContentText id={`${id}s`} sx={{ color: 'text.secondary' }}>
            {tenant === null ? 'São dados pessoais de todas as contas.' : 'São dados pessoais de uma conta.'} O que você
            abrir fica no histórico de quem foi lido, com seu nome, a hora e este motivo, que vale por uma hora.
          </DialogContentText>
          <SelectField label="Motivo" value={chosen} onChange={setChosen} options={options} autoFocus />
          <TextAreaField
            label={isOther ? 'Qual motivo' : 'Detalhes (opcional)'}
            help="Por exemplo, o número do pedido de ajuda."
            rows={2}
            maxLength={500}
            value={details}
            onChange={setDetails}
            error={problem?.errorOf('details')}
          />
          <FormSummary
            sentence={
              stating.isError && !problem?.errors.length
                ? sentenceOf(stating.error, 'O motivo não foi registrado. Tente de novo.')
                : null
            }
          />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" variant="contained" disabled={!isComplete || stating.isPending}>
            {stating.isPending ? 'Registrando...' : 'Ver dados'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import type { Label } from '@prosa/contracts/http/labels'
import type { LabelColour } from '@prosa/contracts/values/label-colour'
import { maximumLabelLength } from '@prosa/contracts/values/lengths'
import { type SubmitEvent, useId, useState } from 'react'
import { Field } from '../../../components/field.tsx'
import { LabelChip } from '../../../components/label-chip.tsx'
import { ApiProblem } from '../../../lib/http.ts'
import { useSaveLabel } from './api.ts'
import { ColourChoice } from './colour-choice.tsx'

interface Props {
  label?: Label | undefined
  firstColour: LabelColour
  onClose: () => void
}

export const LabelDialog = ({ label, firstColour, onClose }: Props) => {
  const [name, setName] = useState(label?.name ?? '')
  const [colour, setColour] = useState(label?.colour ?? firstColour)
  const [tried, setTried] = useState(false)
  const titleId = useId()
  const { mutate, error, isPending, reset } = useSaveLabel(label?.id)

  const isChanged = name !== (label?.name ?? '') || colour !== (label?.colour ?? firstColour)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    if (isPending || name.trim() === '') return
    mutate({ name: name.trim(), colour }, { onSuccess: onClose })
  }
  const refused = error instanceof ApiProblem ? (error.errorOf('name') ?? error.title) : undefined
  return (
    <Dialog
      open
      // A click on the backdrop must not discard input.
      onClose={(_event, reason) => (reason === 'backdropClick' && isChanged ? undefined : onClose())}
      maxWidth="xs"
      fullWidth
      aria-labelledby={titleId}
    >
      <DialogTitle id={titleId}>{label ? 'Editar Etiqueta' : 'Nova Etiqueta'}</DialogTitle>
      <form onSubmit={submit} noValidate>
        <DialogContent sx={{ display: 'grid', gap: 4 }}>
          <Field
            label="Nome"
            name="name"
            placeholder="Ex: Orçamento"
            help={`Até ${maximumLabelLength} caracteres.`}
            maxLength={maximumLabelLength}
            autoFocus
            autoComplete="off"
            value={name}
            onChange={(value) => {
              setName(value)
              if (error) reset()
            }}
            error={tried && name.trim() === '' ? 'Dê um nome à etiqueta.' : refused}
          />
          <ColourChoice value={colour} onChange={setColour} />
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 }}>
            <Typography sx={{ color: 'text.secondary' }}>Nas conversas:</Typography>
            <LabelChip colour={colour}>{name.trim() || 'Nome'}</LabelChip>
          </Box>
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" variant="contained" disabled={isPending}>
            {label ? 'Salvar' : 'Criar'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { maximumFlowNameLength, maximumFolderDescriptionLength } from '@prosa/contracts/flows/flow-limits'
import type { FlowFolder } from '@prosa/contracts/http/flows'
import { type SubmitEvent, useId, useState } from 'react'
import { Field } from '../../components/field.tsx'
import { TextAreaField } from '../../components/text-area-field.tsx'
import { ApiProblem } from '../../lib/http.ts'
import { useSaveFolder } from './api.ts'

const refusedAt = (error: unknown, field: 'name' | 'description') =>
  error instanceof ApiProblem ? error.errorOf(field) : undefined

export const FolderDialog = ({ folder, onClose }: { folder?: FlowFolder; onClose: () => void }) => {
  const [name, setName] = useState(folder?.name ?? '')
  const [description, setDescription] = useState(folder?.description ?? '')
  const [tried, setTried] = useState(false)
  const titleId = useId()
  const { mutate, isPending, error, reset } = useSaveFolder(folder?.id)
  const isChanged = name !== (folder?.name ?? '') || description !== (folder?.description ?? '')
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    if (isPending || name.trim() === '') return
    mutate({ name: name.trim(), description: description.trim() }, { onSuccess: onClose })
  }
  const write = (set: (value: string) => void) => (value: string) => {
    set(value)
    if (error) reset()
  }
  const whole = error instanceof ApiProblem && error.errors.length === 0 ? error.title : undefined
  return (
    <Dialog
      open
      // A click on the backdrop must not discard input.
      onClose={(_event, reason) => (reason === 'backdropClick' && isChanged ? undefined : onClose())}
      maxWidth="xs"
      fullWidth
      aria-labelledby={titleId}
    >
      <DialogTitle id={titleId}>{folder ? 'Editar Pasta' : 'Criar Nova Pasta'}</DialogTitle>
      <form onSubmit={submit} noValidate>
        <DialogContent sx={{ display: 'grid', gap: 4 }}>
          <Field
            label="Nome"
            name="name"
            placeholder="Ex: Vendas"
            maxLength={maximumFlowNameLength}
            autoFocus
            autoComplete="off"
            value={name}
            onChange={write(setName)}
            error={tried && name.trim() === '' ? 'Dê um nome à pasta.' : (refusedAt(error, 'name') ?? whole)}
          />
          <TextAreaField
            label="Descrição"
            name="description"
            help="Opcional: para que servem os fluxos desta pasta."
            rows={3}
            maxLength={maximumFolderDescriptionLength}
            value={description}
            onChange={write(setDescription)}
            error={refusedAt(error, 'description')}
          />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" variant="contained" disabled={isPending}>
            {isPending ? 'Salvando...' : folder ? 'Salvar' : 'Criar Pasta'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

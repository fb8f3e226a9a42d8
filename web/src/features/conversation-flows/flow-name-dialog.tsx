import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { maximumFlowNameLength } from '@prosa/contracts/flows/flow-limits'
import type { Flow } from '@prosa/contracts/http/flows'
import { type SubmitEvent, useId, useState } from 'react'
import { Field } from '../../components/field.tsx'
import { ApiProblem } from '../../lib/http.ts'
import { useCreateFlow, useRenameFlow } from './api.ts'

interface Props {
  title: string
  submit: string
  submitting: string
  name?: string
  isPending: boolean
  error: unknown
  onName: (name: string) => void
  onAnew: () => void
  onClose: () => void
}

const NameDialog = ({
  title,
  submit,
  submitting,
  name: first = '',
  isPending,
  error,
  onName,
  onAnew,
  onClose,
}: Props) => {
  const [name, setName] = useState(first)
  const [tried, setTried] = useState(false)
  const titleId = useId()
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    if (!isPending && name.trim() !== '') onName(name.trim())
  }
  const refused = error instanceof ApiProblem ? (error.errorOf('name') ?? error.title) : undefined
  return (
    <Dialog
      open
      // A click on the backdrop must not discard input.
      onClose={(_event, reason) => (reason === 'backdropClick' && name !== first ? undefined : onClose())}
      maxWidth="xs"
      fullWidth
      aria-labelledby={titleId}
    >
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <form onSubmit={send} noValidate>
        <DialogContent>
          <Field
            label="Nome"
            name="name"
            placeholder="Ex: Atendimento inicial"
            maxLength={maximumFlowNameLength}
            autoFocus
            autoComplete="off"
            value={name}
            onChange={(value) => {
              setName(value)
              if (error) onAnew()
            }}
            error={tried && name.trim() === '' ? 'Dê um nome ao fluxo.' : refused}
          />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" variant="contained" disabled={isPending}>
            {isPending ? submitting : submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface NewProps {
  folderId: string | null
  onCreated: (flow: Flow) => void
  onClose: () => void
}

export const NewFlowDialog = ({ folderId, onCreated, onClose }: NewProps) => {
  const { mutate, isPending, error, reset } = useCreateFlow()
  return (
    <NameDialog
      title="Criar Novo Fluxo"
      submit="Criar Fluxo"
      submitting="Criando..."
      isPending={isPending}
      error={error}
      onName={(name) => mutate({ name, folderId }, { onSuccess: onCreated })}
      onAnew={reset}
      onClose={onClose}
    />
  )
}

export const RenameFlowDialog = ({ flow, onClose }: { flow: Flow; onClose: () => void }) => {
  const { mutate, isPending, error, reset } = useRenameFlow(flow.id)
  return (
    <NameDialog
      title="Renomear Fluxo"
      submit="Salvar"
      submitting="Salvando..."
      name={flow.name}
      isPending={isPending}
      error={error}
      onName={(name) => (name === flow.name ? onClose() : mutate({ name }, { onSuccess: onClose }))}
      onAnew={reset}
      onClose={onClose}
    />
  )
}

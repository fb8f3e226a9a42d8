import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import type { Flow, FlowFolder } from '@prosa/contracts/http/flows'
import { type SubmitEvent, useId, useState } from 'react'
import { SelectField } from '../../components/select-field.tsx'
import { useMoveFlow } from './api.ts'

interface Props {
  flow: Flow
  folders: readonly FlowFolder[]
  onClose: () => void
}

export const MoveFlowDialog = ({ flow, folders, onClose }: Props) => {
  const [folderId, setFolderId] = useState(flow.folderId ?? '')
  const titleId = useId()
  const { mutate, isPending } = useMoveFlow()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate({ id: flow.id, folderId: folderId || null }, { onSuccess: onClose })
  }
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId}>Mover {flow.name}</DialogTitle>
      <form onSubmit={submit} noValidate>
        <DialogContent>
          <SelectField
            label="Pasta"
            value={folderId}
            onChange={setFolderId}
            options={[
              { value: '', label: 'Sem pasta' },
              ...folders.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" variant="contained" disabled={isPending || folderId === (flow.folderId ?? '')}>
            {isPending ? 'Movendo...' : 'Mover'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

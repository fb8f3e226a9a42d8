import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormGroup from '@mui/material/FormGroup'
import type { SimulatedPhone } from '@prosa/contracts/http/simulator'
import { type SubmitEvent, useId, useState } from 'react'
import { Field } from '../../components/field.tsx'
import { ApiProblem } from '../../lib/http.ts'
import { useCreateGroup } from './api.ts'

type Props = { phones: readonly SimulatedPhone[]; onClose: () => void }

/** The first phone chosen creates the group. */
export const NewGroupDialog = ({ phones, onClose }: Props) => {
  const [subject, setSubject] = useState('')
  const [memberIds, setMemberIds] = useState<string[]>([])
  const create = useCreateGroup()
  const problem = create.error instanceof ApiProblem ? create.error : null
  const titleId = useId()
  const toggle = (id: string) =>
    setMemberIds((chosen) => (chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]))
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    create.mutate({ subject, memberIds }, { onSuccess: onClose })
  }
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <form noValidate onSubmit={submit}>
        <DialogTitle id={titleId}>Novo grupo</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 4 }}>
          <Field
            label="Nome do grupo"
            autoFocus
            autoComplete="off"
            value={subject}
            onChange={setSubject}
            error={problem?.errorOf('subject')}
          />
          <FormGroup role="group" aria-label="Quem participa">
            {phones.map(({ id, name }) => (
              <FormControlLabel
                key={id}
                label={name}
                control={<Checkbox checked={memberIds.includes(id)} onChange={() => toggle(id)} />}
              />
            ))}
          </FormGroup>
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" variant="contained" disabled={create.isPending || memberIds.length < 2}>
            Criar grupo
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

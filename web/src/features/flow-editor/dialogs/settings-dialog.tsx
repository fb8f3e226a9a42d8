import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import { type FlowSettings, maximumFlowNameLength } from '@prosa/contracts/flows/flow-document'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { Field } from '../../../components/field.tsx'
import { FormSummary } from '../../../components/form-summary.tsx'
import { SelectField } from '../../../components/select-field.tsx'
import { connectionsQuery } from '../../../lib/connections.ts'
import { focusFirstRefused } from '../../../lib/focus-first-refused.ts'
import { refusalOr } from '../../../lib/http.ts'

export interface FlowChoices {
  name: string
  /** Null if never published: then it cannot be turned on or off. */
  isOn: boolean | null
  settings: FlowSettings
}

interface Props extends FlowChoices {
  onSave: (choices: FlowChoices) => Promise<unknown>
  onClose: () => void
}

const agains = [
  { value: 'after', label: 'Depois de um tempo' },
  { value: 'always', label: 'Sempre que for iniciado' },
  { value: 'never', label: 'Uma única vez' },
]

const hoursOf = (text: string, max: number): number | undefined =>
  /^\d{1,4}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= max ? Number(text) : undefined
const maxAgain = 8760
const maxSilence = 720

const Lines = ({ chosen, onChange }: { chosen: readonly string[]; onChange: (ids: string[]) => void }) => {
  const { data = [] } = useQuery(connectionsQuery)
  const known = new Set(data.map(({ id }) => id))
  const gone = chosen.filter((id) => !known.has(id))
  const toggle = (id: string, isOn: boolean) => onChange(isOn ? [...chosen, id] : chosen.filter((one) => one !== id))
  return (
    <Box component="fieldset" sx={{ m: 0, p: 0, border: 0, minWidth: 0 }}>
      <Typography component="legend" variant="subtitle2" sx={{ p: 0 }}>
        Em quais conexões
      </Typography>
      <FormControlLabel
        control={<Checkbox checked={chosen.length === 0} onChange={() => onChange([])} />}
        label="Todas"
        sx={{ display: 'flex' }}
      />
      {data.map(({ id, name }) => (
        <FormControlLabel
          key={id}
          control={<Checkbox checked={chosen.includes(id)} onChange={(_, checked) => toggle(id, checked)} />}
          label={name}
          sx={{ display: 'flex' }}
        />
      ))}
      {gone.map((id) => (
        <FormControlLabel
          key={id}
          control={<Checkbox checked onChange={() => toggle(id, false)} />}
          label="Conexão excluída"
          sx={{ display: 'flex' }}
        />
      ))}
    </Box>
  )
}

export const SettingsDialog = ({ name, isOn, settings, onSave, onClose }: Props) => {
  const [wantedName, setName] = useState(name)
  const [wantedOn, setOn] = useState(isOn)
  const [again, setAgain] = useState(settings.again)
  const [againHours, setAgainHours] = useState(String(settings.againAfterHours))
  const [silenceHours, setSilenceHours] = useState(String(settings.silenceHours))
  const [connectionIds, setConnectionIds] = useState<readonly string[]>(settings.connectionIds)
  const [tried, setTried] = useState(false)
  const save = useMutation({ mutationFn: onSave, onSuccess: onClose })

  const againAfterHours = hoursOf(againHours, maxAgain)
  const silence = hoursOf(silenceHours, maxSilence)
  const trimmed = wantedName.trim()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    if (trimmed === '' || silence === undefined || (again === 'after' && againAfterHours === undefined))
      return focusFirstRefused(event.currentTarget)
    const changed: FlowSettings = {
      again,
      againAfterHours: againAfterHours ?? settings.againAfterHours,
      silenceHours: silence,
      connectionIds: [...connectionIds],
    }
    save.mutate({ name: trimmed, isOn: wantedOn, settings: changed })
  }

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="flow-settings-title">
      <DialogTitle id="flow-settings-title">Configurações</DialogTitle>
      <form onSubmit={submit} noValidate>
        <DialogContent sx={{ display: 'grid', gap: 4 }}>
          <Field
            label="Nome"
            autoFocus
            autoComplete="off"
            maxLength={maximumFlowNameLength}
            value={wantedName}
            error={tried && trimmed === '' ? 'Dê um nome ao fluxo.' : undefined}
            onChange={setName}
          />
          {wantedOn !== null && (
            <FormControlLabel
              control={<Switch checked={wantedOn} onChange={(_, checked) => setOn(checked)} />}
              label={wantedOn ? 'Ativo: começa com novas mensagens' : 'Inativo: não começa'}
            />
          )}
          <SelectField
            label="Pode começar de novo para a mesma pessoa"
            value={again}
            onChange={(value) => setAgain(value as FlowSettings['again'])}
            options={agains}
            help="Quem o passo Transferir deixou com uma pessoa espera, em todo caso, até alguém finalizar a conversa."
          />
          {again === 'after' && (
            <Field
              label="Horas depois de terminar"
              inputMode="numeric"
              maxLength={4}
              value={againHours}
              error={tried && againAfterHours === undefined ? 'De 1 a 8.760 horas.' : undefined}
              onChange={setAgainHours}
            />
          )}
          <Field
            label="Horas sem resposta até terminar"
            help="Quem não responde por esse tempo sai do fluxo."
            inputMode="numeric"
            maxLength={3}
            value={silenceHours}
            error={tried && silence === undefined ? 'De 1 a 720 horas.' : undefined}
            onChange={setSilenceHours}
          />
          <Lines chosen={connectionIds} onChange={setConnectionIds} />
          <FormSummary
            sentence={save.isError ? refusalOr(save.error, 'As configurações não puderam ser salvas.') : null}
          />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" variant="contained" disabled={save.isPending}>
            {save.isPending ? 'Salvando...' : 'Salvar'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

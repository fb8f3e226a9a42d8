import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import { type FlowSettings, maximumFlowNameLength } from '@prosa/contracts/flows/flow-document'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Field } from '../../../components/forms/field.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { FormSummary } from '../../../components/forms/form-summary.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { WhyButton } from '../../../components/why/why-button.tsx'
import { connectionsQuery } from '../../../lib/account/connections.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { refusalOr } from '../../../lib/http/http.ts'
import { useCommand } from '../../../lib/http/use-command.ts'

export interface FlowChoices {
  name: string
  /** Null if never published: then it cannot be turned on or off. */
  isOn: boolean | null
  settings: FlowSettings
}

interface Props extends FlowChoices {
  flowId: string
  onSave: (choices: FlowChoices) => Promise<unknown>
  onClose: () => void
}

interface Values {
  name: string
  isOn: boolean | null
  again: FlowSettings['again']
  againHours: string
  silenceHours: string
  connectionIds: readonly string[]
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

interface LinesProps {
  chosen: readonly string[]
  onChange: (ids: string[]) => void
  children: ReactNode
}

const Lines = ({ chosen, onChange, children }: LinesProps) => {
  const { data = [] } = useQuery(connectionsQuery)
  const known = new Set(data.map(({ id }) => id))
  const gone = chosen.filter((id) => !known.has(id))
  const toggle = (id: string, isOn: boolean) => onChange(isOn ? [...chosen, id] : chosen.filter((one) => one !== id))
  return (
    <Box component="fieldset" sx={{ m: 0, p: 0, border: 0, minWidth: 0 }}>
      <Typography component="legend" variant="subtitle2" sx={{ p: 0 }}>
        Em quais conexões
      </Typography>
      {children}
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

const checked = ({ name, again, againHours, silenceHours }: Values) => ({
  name: name.trim() === '' ? 'Dê um nome ao fluxo.' : undefined,
  againHours: again === 'after' && hoursOf(againHours, maxAgain) === undefined ? 'De 1 a 8.760 horas.' : undefined,
  silenceHours: hoursOf(silenceHours, maxSilence) === undefined ? 'De 1 a 720 horas.' : undefined,
})

export const SettingsDialog = ({ flowId, name, isOn, settings, onSave, onClose }: Props) => {
  const command = useCommand({ run: onSave })
  const first: Values = {
    name,
    isOn,
    again: settings.again,
    againHours: String(settings.againAfterHours),
    silenceHours: String(settings.silenceHours),
    connectionIds: settings.connectionIds,
  }
  const form = useForm(useState(first), {
    command,
    check: checked,
    toInput: ({ name, isOn, again, againHours, silenceHours, connectionIds }) => ({
      name: name.trim(),
      isOn,
      settings: {
        again,
        againAfterHours: hoursOf(againHours, maxAgain) ?? settings.againAfterHours,
        silenceHours: hoursOf(silenceHours, maxSilence) ?? settings.silenceHours,
        connectionIds: [...connectionIds],
      },
    }),
    onDone: onClose,
  })
  const { values, bind, set } = form
  return (
    <FormDialog
      title="Configurações"
      maxWidth="sm"
      form={form}
      submit="Salvar"
      submitting="Salvando..."
      onClose={onClose}
    >
      <Field label="Nome" autoFocus autoComplete="off" maxLength={maximumFlowNameLength} {...bind('name')} />
      {values.isOn !== null && (
        <FormControlLabel
          control={<Switch checked={values.isOn} onChange={(_, isOn) => set({ isOn })} />}
          label={values.isOn ? 'Ativo: começa com novas mensagens' : 'Inativo: não começa'}
        />
      )}
      <SelectField
        label="Pode começar de novo para a mesma pessoa"
        value={values.again}
        onChange={(again) => set({ again: again as FlowSettings['again'] })}
        options={agains}
        help="Quem o passo Transferir deixou com uma pessoa espera, em todo caso, até alguém finalizar a conversa."
      />
      {values.again === 'after' && (
        <Field label="Horas depois de terminar" inputMode="numeric" maxLength={4} {...bind('againHours')} />
      )}
      <Field
        label="Horas sem resposta até terminar"
        help="Quem não responde por esse tempo sai do fluxo."
        inputMode="numeric"
        maxLength={3}
        {...bind('silenceHours')}
      />
      <Lines chosen={values.connectionIds} onChange={(connectionIds) => set({ connectionIds })}>
        {isOn !== null && (
          <WhyButton of={{ kind: 'flow', id: flowId, field: 'numbers' }} what="Conexões da versão publicada" />
        )}
      </Lines>
      <FormSummary
        sentence={command.error ? refusalOr(command.error, 'As configurações não puderam ser salvas.') : null}
      />
    </FormDialog>
  )
}

import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { delaySecondsOf } from '@prosa/contracts/flows/check-flow'
import { maximumWaitSeconds } from '@prosa/contracts/flows/flow-document'
import { useState } from 'react'
import { Field } from '../../../components/forms/field.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { timeUnits, unitOf } from '../node-words.ts'

interface Props {
  label: string
  /** Text, because invalid input must stay editable. */
  seconds: string
  error?: string | undefined
  onChange: (seconds: string) => void
}

const isWhole = (text: string) => /^\d+$/.test(text.trim())

export const TimeField = ({ label, seconds, error, onChange }: Props) => {
  // An empty field keeps the chosen unit.
  const [unit, setUnit] = useState(() => (isWhole(seconds) ? unitOf(Number(seconds)) : 1))
  const shownUnit = isWhole(seconds) && Number(seconds) % unit !== 0 ? 1 : unit
  const amount = isWhole(seconds) ? String(Number(seconds) / shownUnit) : seconds
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 2, alignItems: 'start' }}>
      <Field
        label={label}
        inputMode="numeric"
        autoComplete="off"
        maxLength={7}
        value={amount}
        error={error}
        onChange={(text) => onChange(isWhole(text) ? String(Number(text) * shownUnit) : text)}
      />
      <SelectField
        label="Unidade"
        value={String(shownUnit)}
        onChange={(chosen) => {
          setUnit(Number(chosen))
          if (isWhole(amount)) onChange(String(Number(amount) * Number(chosen)))
        }}
        options={timeUnits.map(({ seconds, many }) => ({ value: String(seconds), label: many }))}
      />
    </Box>
  )
}

/** Invalid input stays in the field until it is a valid duration. */
const Timeout = ({ seconds, onChange }: { seconds: number; onChange: (seconds: number) => void }) => {
  const [typed, setTyped] = useState(String(seconds))
  const known = delaySecondsOf(typed)
  return (
    <TimeField
      label="Esperar até"
      seconds={known === undefined || known === seconds ? typed : String(seconds)}
      error={known === undefined ? 'De 1 segundo a 30 dias.' : undefined}
      onChange={(text) => {
        setTyped(text)
        const time = delaySecondsOf(text)
        if (time !== undefined && time <= maximumWaitSeconds) onChange(time)
      }}
    />
  )
}

const usualSeconds = 3600

interface TimeoutProps {
  /** Null: the silence of the flow. */
  seconds: number | null
  /** `field`: what was typed into; undefined for a choice. */
  onChange: (seconds: number | null, field?: string) => void
}

export const TimeoutFields = ({ seconds, onChange }: TimeoutProps) => (
  <>
    <FormControlLabel
      control={<Switch checked={seconds !== null} onChange={(_, checked) => onChange(checked ? usualSeconds : null)} />}
      label="Seguir por “Não respondeu” depois de um tempo"
    />
    {seconds !== null && <Timeout seconds={seconds} onChange={(chosen) => onChange(chosen, 'timeout')} />}
  </>
)

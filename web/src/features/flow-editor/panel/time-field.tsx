import Box from '@mui/material/Box'
import { useState } from 'react'
import { Field } from '../../../components/field.tsx'
import { SelectField } from '../../../components/select-field.tsx'
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

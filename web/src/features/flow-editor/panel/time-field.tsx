import Box from '@mui/material/Box'
import { useState } from 'react'
import { Field } from '../../../components/field.tsx'
import { SelectField } from '../../../components/select-field.tsx'
import { timeUnits, unitOf } from '../step-words.ts'

interface Props {
  label: string
  /** Whole seconds as a text; what is no number is kept, so that it can be mended. */
  seconds: string
  error?: string | undefined
  onChange: (seconds: string) => void
}

const isWhole = (text: string) => /^\d+$/.test(text.trim())

/** A time in seconds, minutes, hours or days. */
export const TimeField = ({ label, seconds, error, onChange }: Props) => {
  // A field that is empty for a moment has no unit of its own: what was chosen stays.
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

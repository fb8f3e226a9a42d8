import Box from '@mui/material/Box'
import { ApiProblem } from '../../lib/http/http.ts'
import { Field } from '../forms/field.tsx'

export interface Period {
  /** '2027-01-12' */
  from: string
  to: string
}

const dayMs = 86_400_000

/** In the browser's time zone; Swedish dates have ISO 8601 form. */
const dayOf = (ms: number): string => new Date(ms).toLocaleDateString('sv-SE')

/** With today. */
export const lastDays = (days: number): Period => ({
  from: dayOf(Date.now() - (days - 1) * dayMs),
  to: dayOf(Date.now()),
})

interface Props {
  period: Period
  onChange: (period: Period) => void
  error: Error | null
}

export const PeriodFields = ({ period, onChange, error }: Props) => {
  const errorOf = (field: keyof Period) => (error instanceof ApiProblem ? error.errorOf(field) : undefined)
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', width: 'min(360px, 100%)' }}>
      <Field
        label="De"
        type="date"
        name="from"
        value={period.from}
        onChange={(from) => onChange({ ...period, from })}
        error={errorOf('from')}
      />
      <Field
        label="Até"
        type="date"
        name="to"
        value={period.to}
        onChange={(to) => onChange({ ...period, to })}
        error={errorOf('to')}
      />
    </Box>
  )
}

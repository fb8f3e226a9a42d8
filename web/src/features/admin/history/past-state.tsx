import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { Field } from '../../../components/forms/field.tsx'
import { panelStyle } from '../../../components/layout/panel.tsx'
import { usePastState } from './api.ts'

const twoDigits = (value: number) => String(value).padStart(2, '0')

const today = (now = new Date()) => `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`

/** End of the day in the browser's time zone; undefined while the date is incomplete. */
const endOf = (day: string): string | undefined => {
  const end = new Date(`${day}T23:59:59.999`)
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString()
}

const Values = ({ user, at }: { user: string; at: string }) => {
  const { data, isError } = usePastState(user, at)
  if (isError) return <Typography color="error">Não foi possível ler o que valia neste dia.</Typography>
  if (data?.values.length === 0) return <Typography>A conta ainda não existia.</Typography>
  return (
    <Box
      component="dl"
      aria-busy={data === undefined}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 6, rowGap: 2, m: 0, minHeight: 'var(--field-height)' }}
    >
      {data?.values.map(({ label, value }) => (
        <div key={label}>
          <Typography component="dt" variant="caption" sx={{ color: 'text.secondary' }}>
            {label}
          </Typography>
          <Typography component="dd" sx={{ m: 0, fontWeight: 500, overflowWrap: 'anywhere' }}>
            {value}
          </Typography>
        </div>
      ))}
    </Box>
  )
}

export const PastState = ({ user }: { user: string }) => {
  const [day, setDay] = useState(today)
  const at = endOf(day)
  return (
    <Box sx={{ ...panelStyle, display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: 5, p: 4 }}>
      <Field label="O que valia em" type="date" value={day} max={today()} onChange={setDay} />
      <Box sx={{ flex: '1 1 var(--card-width)', minWidth: 0 }}>{at && <Values user={user} at={at} />}</Box>
    </Box>
  )
}

import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { Field } from '../../components/forms/field.tsx'
import { ApiProblem } from '../../lib/http/http.ts'
import { useToast } from '../../lib/toast.ts'
import { dashboardQuery } from './api.ts'

interface Props {
  /** '' until the server has answered. */
  from: string
  to: string
  problem: unknown
  onPeriod: (period: { from: string; to: string }) => void
}

const refusalOf = (problem: unknown, field: 'from' | 'to') =>
  problem instanceof ApiProblem ? problem.errorOf(field) : undefined

export const PeriodForm = ({ from, to, problem, onPeriod }: Props) => {
  const queries = useQueryClient()
  const toast = useToast()
  const [dates, setDates] = useState({ from, to })
  const [failure, setFailure] = useState<unknown>(null)
  const [isAsking, setAsking] = useState(false)

  // Follows the period in the address or a new day, unless the user is choosing dates.
  const [shown, setShown] = useState({ from, to })
  useEffect(() => {
    if (from === shown.from && to === shown.to) return
    setDates((before) => (before.from === shown.from && before.to === shown.to ? { from, to } : before))
    setShown({ from, to })
  }, [from, to, shown])

  const filter = async (event: FormEvent) => {
    event.preventDefault()
    if (isAsking) return
    setAsking(true)
    try {
      await queries.fetchQuery(dashboardQuery(dates))
      setFailure(null)
      setShown(dates)
      onPeriod(dates)
    } catch (error) {
      setFailure(error)
      if (refusalOf(error, 'from') === undefined && refusalOf(error, 'to') === undefined)
        toast({ title: 'Erro', description: 'Não foi possível filtrar. Tente novamente.', kind: 'error' })
    } finally {
      setAsking(false)
    }
  }

  const change = (field: 'from' | 'to') => (day: string) => {
    setFailure(null)
    setDates((before) => ({ ...before, [field]: day }))
  }
  const refused = failure ?? problem
  return (
    <Box
      component="form"
      noValidate
      aria-label="Período"
      onSubmit={(event) => void filter(event)}
      sx={{
        display: 'grid',
        alignItems: 'start',
        gap: 3,
        gridTemplateColumns: {
          xs: 'repeat(2, minmax(0, 1fr))',
          sm: 'repeat(2, minmax(0, var(--menu-width))) max-content',
        },
      }}
    >
      <Field
        label="Data inicial"
        type="date"
        value={dates.from}
        onChange={change('from')}
        error={refusalOf(refused, 'from')}
      />
      <Field
        label="Data final"
        type="date"
        value={dates.to}
        onChange={change('to')}
        error={refusalOf(refused, 'to')}
        help="No máximo 366 dias."
      />
      <Button
        type="submit"
        variant="outlined"
        aria-disabled={isAsking}
        sx={{ minHeight: 'var(--field-height)', mt: { xs: 0, sm: 6 }, gridColumn: { xs: '1 / -1', sm: 'auto' } }}
      >
        {isAsking ? 'Filtrando...' : 'Filtrar'}
      </Button>
    </Box>
  )
}

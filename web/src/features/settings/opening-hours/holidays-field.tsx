import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { maximumHolidayNameLength, maximumHolidays } from '@prosa/contracts/values/lengths'
import type { Holiday } from '@prosa/contracts/values/time/opening-hours'
import AddIcon from '~icons/ic/round-add'
import { Field } from '../../../components/field.tsx'
import { IntervalsField } from './intervals-field.tsx'

interface Props {
  holidays: readonly Holiday[]
  onChange: (holidays: Holiday[]) => void
  errorOf: (field: string) => string | undefined
}

export const HolidaysField = ({ holidays, onChange, errorOf }: Props) => {
  const change = (index: number, holiday: Partial<Holiday>) =>
    onChange(holidays.map((each, at) => (at === index ? { ...each, ...holiday } : each)))
  return (
    <Box component="fieldset" sx={{ display: 'grid', gap: 4, m: 0, p: 0, border: 0, minWidth: 0 }}>
      <Typography component="legend" variant="h3" sx={{ p: 0, mb: 2 }}>
        Feriados e dias especiais
      </Typography>
      {holidays.length === 0 && (
        <Typography sx={{ color: 'text.secondary' }}>
          Nenhum. Nos dias que você adicionar aqui valem só os horários deles, e não os da semana.
        </Typography>
      )}
      {holidays.map((holiday, index) => (
        <Box
          // biome-ignore lint/suspicious/noArrayIndexKey: a holiday is its place until it is saved
          key={index}
          role="group"
          aria-label={holiday.name || `Feriado ${index + 1}`}
          sx={{ display: 'grid', gap: 3, pb: 4, borderBottom: '1px solid', borderColor: 'divider' }}
        >
          <Box
            sx={{
              display: 'grid',
              gap: 3,
              gridTemplateColumns: { xs: '1fr', sm: '180px 1fr auto' },
              alignItems: 'start',
            }}
          >
            <Field
              label="Data"
              type="date"
              name={`holidays.${index}.date`}
              value={holiday.date}
              onChange={(date) => change(index, { date })}
              error={errorOf(`holidays.${index}.date`)}
            />
            <Field
              label="Nome"
              name={`holidays.${index}.name`}
              placeholder="Ex: Natal"
              maxLength={maximumHolidayNameLength}
              value={holiday.name}
              onChange={(name) => change(index, { name })}
              error={errorOf(`holidays.${index}.name`)}
            />
            <Button
              color="inherit"
              onClick={() => onChange(holidays.filter((_, at) => at !== index))}
              aria-label={`Tirar ${holiday.name || `o feriado ${index + 1}`}`}
              sx={{ mt: { sm: 6 }, ml: { xs: -4, sm: 0 }, justifySelf: 'start' }}
            >
              Tirar
            </Button>
          </Box>
          <IntervalsField
            intervals={holiday.intervals}
            onChange={(intervals) => change(index, { intervals })}
            path={`holidays.${index}.intervals`}
            errorOf={errorOf}
          />
        </Box>
      ))}
      {holidays.length < maximumHolidays && (
        <Button
          startIcon={<AddIcon />}
          onClick={() => onChange([...holidays, { date: '', name: '', intervals: [] }])}
          sx={{ justifySelf: 'start', mx: -4 }}
        >
          Adicionar feriado
        </Button>
      )}
    </Box>
  )
}

import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { maximumIntervals } from '@prosa/contracts/values/lengths'
import type { OpenInterval } from '@prosa/contracts/values/time/opening-hours'
import AddIcon from '~icons/ic/round-add'
import CloseIcon from '~icons/ic/round-close'
import { Field } from '../../../components/field.tsx'
import { shownEnd } from './hours-words.ts'

interface Props {
  intervals: readonly OpenInterval[]
  onChange: (intervals: OpenInterval[]) => void
  /** Path in the request body, such as 'week.1', for the server's errors. */
  path: string
  errorOf: (field: string) => string | undefined
}

const usual = { from: '08:00', to: '18:00' }
/** After a usual lunch break. */
const following = { from: '13:00', to: '18:00' }

export const IntervalsField = ({ intervals, onChange, path, errorOf }: Props) => {
  const change = (index: number, interval: Partial<OpenInterval>) =>
    onChange(intervals.map((each, at) => (at === index ? { ...each, ...interval } : each)))
  const tooMany = errorOf(path)
  return (
    <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start', minWidth: 0 }}>
      {intervals.length === 0 && <Typography sx={{ color: 'text.secondary', py: 2 }}>Fechado</Typography>}
      {intervals.map((interval, index) => (
        <Box
          // biome-ignore lint/suspicious/noArrayIndexKey: an interval is its place
          key={index}
          role="group"
          aria-label={`${index + 1}º intervalo`}
          sx={{
            display: 'grid',
            gap: 2,
            gridTemplateColumns: '1fr 1fr auto',
            alignItems: 'start',
            width: 'min(320px, 100%)',
            // A 12-hour clock is wider.
            '& .field-box input': { px: 2 },
          }}
        >
          <Field
            label="Das"
            type="time"
            name={`${path}.${index}.from`}
            value={interval.from}
            onChange={(from) => change(index, { from })}
            error={errorOf(`${path}.${index}.from`)}
          />
          <Field
            label="Até"
            type="time"
            name={`${path}.${index}.to`}
            value={shownEnd(interval.to)}
            onChange={(to) => change(index, { to })}
            error={errorOf(`${path}.${index}.to`)}
          />
          <IconButton
            aria-label={`Tirar o ${index + 1}º intervalo`}
            onClick={() => onChange(intervals.filter((_, at) => at !== index))}
            sx={{ mt: 6.5 }}
          >
            <CloseIcon />
          </IconButton>
        </Box>
      ))}
      {tooMany && (
        <Typography variant="body2" sx={{ color: 'danger' }}>
          {tooMany}
        </Typography>
      )}
      {intervals.length < maximumIntervals && (
        <Button
          startIcon={<AddIcon />}
          onClick={() => onChange([...intervals, intervals.length === 0 ? usual : following])}
          sx={{ mx: -4 }}
        >
          Adicionar intervalo
        </Button>
      )}
    </Box>
  )
}

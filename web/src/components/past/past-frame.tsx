import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { MomentMarks } from '@prosa/contracts/http/past/moments'
import { Link } from 'react-router-dom'
import HistoryRounded from '~icons/ic/round-history'
import { Field } from '../forms/field.tsx'
import { isInstant, momentName } from './moment-names.ts'
import { MomentSteps } from './moment-steps.tsx'

/** Beside the moment's name; on a phone the frame is three rows. */
const dateField = {
  flex: { xs: '1 1 10rem', md: '0 0 auto' },
  minWidth: 0,
  order: 2,
  '& label': { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
} as const

const ShortOnPhone = ({ short, rest }: { short: string; rest: string }) => (
  <>
    {short}
    <Box component="span" sx={{ display: { xs: 'none', md: 'inline' }, whiteSpace: 'pre' }}>{` ${rest}`}</Box>
  </>
)

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** For `datetime-local`, in the browser's time zone. */
const localTime = (at: Date) =>
  `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`

interface Props {
  em: string
  marks: MomentMarks | undefined
  /** Address of the same today. */
  present: string
  isComparing: boolean
  onMoment: (em: string) => void
  onCompare: () => void
}

/** Around a screen that shows the past: which moment, steps and slider, what changed since, and the way back. */
export const PastFrame = ({ em, marks, present, isComparing, onMoment, onCompare }: Props) => {
  const current = marks?.current ?? null
  const at = current === null ? undefined : marks?.marks[current]?.at
  const shownAt = isInstant(em) ? em : at
  return (
    <Box
      component="section"
      aria-label="O passado"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 2,
        px: { xs: 3, md: 4 },
        py: 1,
        bgcolor: 'infoSoft',
        color: 'text.primary',
        borderBottom: '2px solid',
        borderColor: 'info.main',
      }}
    >
      <Typography
        role="status"
        sx={{ fontWeight: 600, display: 'flex', alignItems: 'center', gap: 2, flex: { xs: '1 1 0', md: '0 0 auto' } }}
      >
        <HistoryRounded aria-hidden />
        {shownAt === undefined ? 'Você está vendo o passado' : `Você está vendo ${momentName(shownAt)}`}
      </Typography>
      <Box
        sx={{ flex: { xs: '1 1 100%', md: '1 1 16rem' }, order: 1, minWidth: 0, display: 'flex', alignItems: 'center' }}
      >
        <MomentSteps label="Momento" marks={marks} onMoment={onMoment} />
      </Box>
      <Box sx={dateField}>
        <Field
          label="Ir para"
          type="datetime-local"
          value={shownAt === undefined ? '' : localTime(new Date(shownAt))}
          max={localTime(new Date())}
          onChange={(local) => {
            const to = new Date(local)
            if (!Number.isNaN(to.getTime())) onMoment(to.toISOString())
          }}
        />
      </Box>
      <Button
        variant="outlined"
        aria-label="O que mudou desde então"
        aria-expanded={isComparing}
        onClick={onCompare}
        sx={{ order: 2 }}
      >
        <ShortOnPhone short="O que mudou" rest="desde então" />
      </Button>
      <Button
        variant="contained"
        component={Link}
        to={present}
        aria-label="Voltar para agora"
        sx={{ order: { xs: 0, md: 3 } }}
      >
        <ShortOnPhone short="Voltar" rest="para agora" />
      </Button>
    </Box>
  )
}

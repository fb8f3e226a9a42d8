import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { MomentMarks } from '@prosa/contracts/http/past/moments'
import { Link } from 'react-router-dom'
import ChevronLeftRounded from '~icons/ic/round-chevron-left'
import ChevronRightRounded from '~icons/ic/round-chevron-right'
import HistoryRounded from '~icons/ic/round-history'
import { Field } from '../../../components/forms/field.tsx'
import { KeyHint } from '../../../components/key-hint.tsx'
import { isInstant, momentName, momentWithSeconds, presentAddress } from './past-moment.ts'

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

interface StepProps {
  name: string
  to: string | undefined
  onMoment: (em: string) => void
  icon: React.ReactNode
}

const Step = ({ name, to, onMoment, icon }: StepProps) => (
  <KeyHint title={name}>
    <span>
      <IconButton aria-label={name} disabled={to === undefined} onClick={() => to !== undefined && onMoment(to)}>
        {icon}
      </IconButton>
    </span>
  </KeyHint>
)

interface Props {
  em: string
  marks: MomentMarks | undefined
  contactId: string | null
  isComparing: boolean
  onMoment: (em: string) => void
  onCompare: () => void
}

/** One stop for each change, so that a step is never empty, whatever time lies between two. */
const Slider = ({ marks, onMoment }: { marks: MomentMarks; onMoment: Props['onMoment'] }) => {
  const last = marks.marks.length - 1
  return (
    <Box sx={{ flex: '1 1 12rem', minWidth: 0, position: 'relative' }}>
      <Box
        component="input"
        type="range"
        aria-label="Momento"
        aria-valuetext={
          marks.current === null ? 'antes de tudo' : momentWithSeconds(marks.marks[marks.current]?.at ?? '')
        }
        min={0}
        max={Math.max(0, last)}
        step={1}
        value={marks.current ?? 0}
        disabled={last < 0}
        onChange={(event: React.ChangeEvent<HTMLInputElement>) => {
          const mark = marks.marks[Number(event.target.value)]
          if (mark) onMoment(mark.em)
        }}
        sx={{ width: '100%', m: 0, minHeight: 'var(--target)', accentColor: 'var(--primary)', cursor: 'pointer' }}
      />
      <Box aria-hidden sx={{ position: 'absolute', bottom: 4, left: 8, right: 8, height: 4, pointerEvents: 'none' }}>
        {marks.marks.map(({ em }, index) => (
          <Box
            key={em}
            sx={{
              position: 'absolute',
              width: '1px',
              height: '100%',
              bgcolor: 'borderStrong',
              left: `${last <= 0 ? 0 : (index / last) * 100}%`,
            }}
          />
        ))}
      </Box>
    </Box>
  )
}

export const PastFrame = ({ em, marks, contactId, isComparing, onMoment, onCompare }: Props) => {
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
        <Step
          name="Mudança anterior"
          to={current === null ? undefined : marks?.marks[current - 1]?.em}
          onMoment={onMoment}
          icon={<ChevronLeftRounded />}
        />
        {marks && <Slider marks={marks} onMoment={onMoment} />}
        <Step
          name="Próxima mudança"
          to={marks?.marks[(current ?? -1) + 1]?.em}
          onMoment={onMoment}
          icon={<ChevronRightRounded />}
        />
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
        to={presentAddress(contactId)}
        aria-label="Voltar para agora"
        sx={{ order: { xs: 0, md: 3 } }}
      >
        <ShortOnPhone short="Voltar" rest="para agora" />
      </Button>
    </Box>
  )
}

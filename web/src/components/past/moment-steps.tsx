import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import type { MomentMarks } from '@prosa/contracts/http/past/moments'
import ChevronLeftRounded from '~icons/ic/round-chevron-left'
import ChevronRightRounded from '~icons/ic/round-chevron-right'
import { KeyHint } from '../key-hint.tsx'
import { momentWithSeconds } from './moment-names.ts'

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

/** One stop for each change, so that a step is never empty, whatever time lies between two. */
const Slider = ({ label, marks, onMoment }: { label: string; marks: MomentMarks; onMoment: (em: string) => void }) => {
  const last = marks.marks.length - 1
  return (
    <Box sx={{ flex: '1 1 12rem', minWidth: 0, position: 'relative' }}>
      <Box
        component="input"
        type="range"
        aria-label={label}
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

interface Props {
  /** Of the slider. */
  label: string
  marks: MomentMarks | undefined
  onMoment: (em: string) => void
}

/** From change to change: a step back, a slider with a mark for each, a step forth. */
export const MomentSteps = ({ label, marks, onMoment }: Props) => {
  const current = marks?.current ?? null
  const before = label === 'Momento' ? 'Mudança anterior' : `${label}: mudança anterior`
  const after = label === 'Momento' ? 'Próxima mudança' : `${label}: próxima mudança`
  return (
    <>
      <Step
        name={before}
        to={current === null ? undefined : marks?.marks[current - 1]?.em}
        onMoment={onMoment}
        icon={<ChevronLeftRounded />}
      />
      {marks && <Slider label={label} marks={marks} onMoment={onMoment} />}
      <Step
        name={after}
        to={marks?.marks[(current ?? -1) + 1]?.em}
        onMoment={onMoment}
        icon={<ChevronRightRounded />}
      />
    </>
  )
}

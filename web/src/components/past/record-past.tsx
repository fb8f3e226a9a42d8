import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { RecordThen } from '@prosa/contracts/http/past/moments'
import type { PastRecord } from '@prosa/contracts/http/past/past-records'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { plural } from '../../lib/format/format.ts'
import { panelStyle } from '../layout/panel.tsx'
import { recordThenQuery, sentenceOfPast } from './api.ts'
import { isInstant, momentWithSeconds } from './moment-names.ts'
import { MomentSteps } from './moment-steps.tsx'
import { PastFrame } from './past-frame.tsx'
import { SideBySide, valuesTogether } from './side-by-side.tsx'

const unread = 'O passado não respondeu. Tente de novo.'

const Values = ({ then }: { then: RecordThen }) =>
  then.values.length === 0 ? (
    <Typography>Neste momento não existia.</Typography>
  ) : (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        gap: 4,
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 14rem), 1fr))',
      }}
    >
      {then.values.map(({ label, value }) => (
        <div key={label}>
          <Typography component="dt" variant="caption" sx={{ color: 'text.secondary' }}>
            {label}
          </Typography>
          <Typography component="dd" sx={{ m: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {value}
          </Typography>
        </div>
      ))}
    </Box>
  )

/** '12/11/2026 14:32:08', or of a moment before everything nothing. */
const nameOf = (em: string, { marks, current }: RecordThen): string => {
  if (isInstant(em)) return momentWithSeconds(em)
  const at = current === null ? undefined : marks[current]?.at
  return at === undefined ? 'antes de tudo' : momentWithSeconds(at)
}

interface ComparedProps {
  of: PastRecord
  asAdmin: boolean
  em: string
  then: RecordThen
}

/** Beside another moment: at first the last change, and then whichever is chosen. */
const Compared = ({ of, asAdmin, em, then }: ComparedProps) => {
  const [chosen, setChosen] = useState<string | null>(null)
  const otherEm = chosen ?? then.latest
  const { data: other, error } = useQuery(recordThenQuery(of, otherEm, asAdmin))
  if (error) return <Typography role="alert">{sentenceOfPast(error, unread)}</Typography>
  if (!other) return <Typography role="status">Carregando...</Typography>
  const rows = valuesTogether(then, other)
  const changed = rows.filter(({ before, after }) => before !== after).length
  const otherName = otherEm === then.latest ? 'Agora' : nameOf(otherEm, other)
  return (
    <Box
      component="section"
      aria-label="Dois momentos lado a lado"
      sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 }}>
        <Typography sx={{ flex: 'none' }}>Comparar com</Typography>
        <MomentSteps label="Comparar com" marks={other} onMoment={setChosen} />
      </Box>
      <SideBySide
        caption={
          changed === 0 ? 'Nada mudou entre os dois momentos.' : plural(changed, 'valor mudou', 'valores mudaram')
        }
        heads={[nameOf(em, then), otherName]}
        rows={rows}
      />
    </Box>
  )
}

interface Props {
  of: PastRecord
  em: string
  /** Address of the same today. */
  present: string
  asAdmin?: boolean
  onMoment: (em: string) => void
  /** The record's own screen as it was; without it its values. */
  children?: ReactNode
  /** Below its values. */
  below?: ReactNode
}

/** Any record as it was, in the frame of the past; read only. */
export const RecordPast = ({ of, em, present, asAdmin = false, onMoment, children, below }: Props) => {
  const [isComparing, setComparing] = useState(false)
  const { data: then, error } = useQuery(recordThenQuery(of, em, asAdmin))
  return (
    <Box
      component="section"
      aria-label="Como era"
      sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'start', minWidth: 0 }}
    >
      <PastFrame
        {...{ em, present, isComparing, onMoment }}
        marks={error ? undefined : then}
        onCompare={() => setComparing(!isComparing)}
      />
      <Box
        sx={{
          ...panelStyle,
          borderTop: 0,
          borderTopLeftRadius: 0,
          borderTopRightRadius: 0,
          p: 4,
          display: 'grid',
          gap: 4,
          gridTemplateColumns: 'minmax(0, 1fr)',
        }}
      >
        {error && <Typography role="alert">{sentenceOfPast(error, unread)}</Typography>}
        {!error && !then && <Typography role="status">Carregando...</Typography>}
        {!error && then && isComparing && <Compared key={em} {...{ of, asAdmin, em, then }} />}
        {!error && then && (children ?? <Values then={then} />)}
        {!error && then && below}
      </Box>
    </Box>
  )
}

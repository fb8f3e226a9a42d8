import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { HistoryDifference, HistoryEntry } from '@prosa/contracts/http/history'
import { Link } from 'react-router-dom'
import { secondsTime, wholeTime } from '../../lib/format/whole-time.ts'
import { ScreenReaderText } from '../screen-reader-text.tsx'
import { keyOf, titleOf } from './record-words.ts'
import { useTimelineLinks } from './timeline-links.ts'
import { HistoryMark } from './timeline-mark.tsx'
import './timeline.css'

const Change = ({ differences }: { differences: readonly HistoryDifference[] }) => (
  <table className="timeline-change">
    <thead>
      <tr>
        <th scope="col">O que mudou</th>
        <th scope="col">Antes</th>
        <th scope="col">Depois</th>
      </tr>
    </thead>
    <tbody>
      {differences.map(({ label, before, after }) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          <td className="timeline-before">{before}</td>
          <td className="timeline-after">{after}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Actor = ({ actor: { id, name } }: Pick<HistoryEntry, 'actor'>) => {
  const links = useTimelineLinks()
  const to = id === null ? undefined : links.actor(id)
  return to === undefined ? (
    <span>por {name}</span>
  ) : (
    <span>
      por{' '}
      <Link to={to} aria-label={`Tudo o que ${name} fez`}>
        {name}
      </Link>
    </span>
  )
}

const RecordName = ({ record }: { record: HistoryEntry['records'][number] }) => {
  const to = useTimelineLinks().record(keyOf(record))
  return to === undefined ? <span>{titleOf(record)}</span> : <Link to={to}>{titleOf(record)}</Link>
}

const Then = ({ entry: { em, past } }: { entry: HistoryEntry }) => {
  const { asItWas } = useTimelineLinks()
  const to = em !== undefined && past ? asItWas(em, past) : undefined
  return to === undefined ? null : <Link to={to}>Ver como era</Link>
}

type Props = {
  entry: HistoryEntry
  /** Records of the entry that nothing above it in the thread names. */
  records: HistoryEntry['records']
  /** '' for the first entry. */
  timeAbove: string
}

export const TimelineEntry = ({ entry, records, timeAbove }: Props) => {
  const { at, depth, icon, text, actor, reason, rule, differences } = entry
  const time = secondsTime(at)
  return (
    <li className="timeline-entry">
      <time dateTime={at} title={wholeTime(at)} data-repeated={time === timeAbove || undefined}>
        {/* Whole in each line that is copied: by it a pasted line is found. */}
        <ScreenReaderText>{wholeTime(at)}</ScreenReaderText>
        <span aria-hidden="true">{time === timeAbove ? '' : time}</span>
      </time>
      <Box className={depth > 0 ? 'timeline-body timeline-effect' : 'timeline-body'} sx={{ '--depth': depth }}>
        <HistoryMark icon={icon} />
        <div className="timeline-words">
          <Typography component="p">{text}</Typography>
          {rule !== null && (
            <Typography component="p" variant="caption" className="timeline-rule">
              Regra: {rule}
            </Typography>
          )}
          {differences.length > 0 && <Change differences={differences} />}
          {reason !== null && <Typography component="p">Motivo: {reason}</Typography>}
          <div className="timeline-meta">
            <Actor actor={actor} />
            {records.map((record) => (
              <RecordName key={keyOf(record)} record={record} />
            ))}
            <Then entry={entry} />
          </div>
        </div>
      </Box>
    </li>
  )
}

import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { HistoryEntry, HistoryThread } from '@prosa/contracts/http/history'
import { Fragment, type ReactNode } from 'react'
import { plural } from '../../lib/format/format.ts'
import { dayWithYear, secondsTime, wholeTime } from '../../lib/format/whole-time.ts'
import type { PagedList } from '../../lib/http/use-paged-list.ts'
import { Panel } from '../layout/panel.tsx'
import { NotRead } from '../notices/not-read-panel.tsx'
import { ScreenReaderText } from '../screen-reader-text.tsx'
import { keyOf } from './record-words.ts'
import { TimelineEntry } from './timeline-entry.tsx'
import './timeline.css'

/** Records of each entry without those named above it, the timeline's own and the actor. */
const newRecords = (entries: readonly HistoryEntry[], about: string | undefined): HistoryEntry['records'][] => {
  const named = new Set(about === undefined ? [] : [about])
  return entries.map(({ actor, records }) => {
    const fresh = records.filter((record) => !named.has(keyOf(record)) && keyOf(record) !== `user:${actor.id}`)
    for (const record of fresh) named.add(keyOf(record))
    return fresh
  })
}

const Thread = ({ thread, about }: { thread: HistoryThread; about: string | undefined }) => {
  const { entries, cause, hidden } = thread
  const records = newRecords(entries, about)
  return (
    <li className="timeline-thread">
      {cause && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary', pl: { md: 13 } }}>
          Por causa de {wholeTime(cause.at)}: {cause.text}
        </Typography>
      )}
      <ol>
        {entries.map((entry, index) => {
          const above = entries[index - 1]
          return (
            <TimelineEntry
              key={entry.id}
              entry={entry}
              records={records[index] ?? []}
              timeAbove={above ? secondsTime(above.at) : ''}
            />
          )
        })}
      </ol>
      {hidden > 0 && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary', pl: { md: 13 }, pt: 1 }}>
          e mais {plural(hidden, 'acontecimento', 'acontecimentos')} pela mesma causa
        </Typography>
      )}
    </li>
  )
}

const Loading = () => (
  <Panel>
    <Box sx={{ display: 'grid', gap: 5, p: 4 }}>
      <ScreenReaderText>Carregando...</ScreenReaderText>
      {[70, 50, 60, 40, 65].map((width) => (
        <Box key={width} sx={{ display: 'flex', gap: 3, alignItems: 'center' }}>
          <Skeleton variant="text" width={40} />
          <Skeleton variant="rounded" width={32} height={32} />
          <Skeleton variant="text" width={`${width}%`} />
        </Box>
      ))}
    </Box>
  </Panel>
)

type Props = {
  list: PagedList<HistoryThread>
  /** `order:<id>` if the timeline is about one record. */
  about?: string | undefined
  empty: ReactNode
}

/** Newest thread first; within a thread the effects follow their cause in the order of the log. */
export const HistoryTimeline = ({ list, about, empty }: Props) => {
  const { rows, error } = list
  if (rows === undefined && !error) return <Loading />
  if (rows === undefined)
    return (
      <Panel>
        <Box role="alert">
          <NotRead
            title="O histórico não pôde ser carregado"
            error={error}
            fallback="O Prosa não está respondendo neste momento. Tente de novo em instantes."
            onRetry={list.retry}
          />
        </Box>
      </Panel>
    )
  if (rows.length === 0) return <Panel>{empty}</Panel>
  const dayOf = ({ at }: HistoryThread) => dayWithYear(Date.parse(at))
  return (
    <Panel>
      <ol className="timeline" aria-label="Histórico">
        {rows.map((thread, index) => {
          const above = rows[index - 1]
          const isNewDay = above === undefined || dayOf(above) !== dayOf(thread)
          return (
            <Fragment key={thread.id}>
              {isNewDay && <li className="timeline-day">{dayOf(thread)}</li>}
              <Thread thread={thread} about={about} />
            </Fragment>
          )
        })}
      </ol>
      {list.hasMore && (
        <Box sx={{ display: 'flex', justifyContent: 'center', p: 3, borderTop: '1px solid', borderColor: 'divider' }}>
          <Button color="inherit" disabled={list.loadingMore} onClick={list.loadMore}>
            {list.loadingMore ? 'Carregando...' : 'Mostrar o que veio antes'}
          </Button>
        </Box>
      )}
    </Panel>
  )
}

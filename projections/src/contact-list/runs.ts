import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { ContactRow } from './table.ts'

type Row = ContactRow | undefined

const key = ({ stream }: { stream: string }) => parseStream(stream).id

const withRuns = (row: ContactRow, runs: NonNullable<ContactRow['runs']>): ContactRow => ({
  ...row,
  runs,
  botSince: runs[0]?.since ?? null,
})

const begun = (row: ContactRow, id: string, since: Instant): ContactRow =>
  withRuns(row, [...(row.runs ?? []).filter((run) => run.id !== id), { id, since }])

const over = (row: ContactRow, id: string): ContactRow =>
  row.runs?.some((run) => run.id === id)
    ? withRuns(
        row,
        row.runs.filter((run) => run.id !== id),
      )
    : row

/** Who is attended has a person already. */
const asked = (row: ContactRow, at: Instant): ContactRow =>
  row.serviceStatus === 'attending' || row.personAskedAt !== null ? row : { ...row, personAskedAt: at }

export const attended = (row: ContactRow): ContactRow =>
  row.personAskedAt === null ? row : { ...row, personAskedAt: null }

/** A run's stream is named after its contact. Merges move runs and waits by events of their own. */
export const runsOfContacts: Projection<ContactRow>['on'] = {
  FlowRunStarted: {
    key,
    row: (row: Row, { data: { runId, startedBy }, metadata }) => {
      if (!row) return undefined
      const started = begun(row, runId, metadata.recordedAt)
      // Flows could start during a wait, ending it, only before 25 November 2026.
      return startedBy === 'flow' ? started : attended(started)
    },
  },
  FlowRunTakenOver: { key, row: (row, { data, metadata }) => row && begun(row, data.runId, metadata.recordedAt) },
  FlowRunMovedAway: { key, row: (row, { data }) => row && over(row, data.runId) },
  FlowRunEnded: {
    key,
    row: (row, { data: { runId, reason }, metadata }) => {
      if (!row) return undefined
      const ended = over(row, runId)
      return reason === 'handed_over' ? asked(ended, metadata.recordedAt) : ended
    },
  },
  FlowCountsTakenOver: {
    key,
    beside: ({ data }) => data.from,
    row: (row, { data: { handedOverAt } }, from) =>
      row && handedOverAt !== undefined ? asked(row, from?.personAskedAt ?? handedOverAt) : row,
  },
  BotPaused: {
    key,
    row: (row, { data: { until }, metadata }) => row && { ...row, botPause: { since: metadata.recordedAt, until } },
  },
  BotResumed: { key, row: (row) => row && { ...row, botPause: null } },
  FlowsResumed: { key, row: (row, { data }) => (row && data.isFinished ? attended(row) : row) },
}

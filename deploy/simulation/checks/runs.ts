import { parseStream } from '@prosa/contracts/streams'
import type { Happened } from './happened.ts'

/** A day and more later nothing waits any more: a run goes on after a merge, and its time comes. */
export const runsThatWait = (happened: Happened): string[] => {
  const waiting = new Map<string, string>()
  for (const { type, data, stream, metadata } of happened.events) {
    const { id } = parseStream(stream)
    const isGone = happened.isErased(metadata.owner, id)
    if ((type === 'FlowRunStarted' || type === 'FlowRunTakenOver') && !isGone) waiting.set(`${data.runId} ${id}`, type)
    if (type === 'FlowRunEnded' || type === 'FlowRunMovedAway') waiting.delete(`${data.runId} ${id}`)
  }
  return [...waiting].map(([run, since]) => `flow run ${run} waits for ever since ${since}`)
}

import { parseStream } from '@prosa/contracts/streams'
import type { Happened } from './happened.ts'

/** After a day and more no run waits. */
export const runsThatWait = (happened: Happened): string[] => {
  const waiting = new Map<string, string>()
  for (const { type, data, stream, metadata } of happened.events) {
    const { id } = parseStream(stream)
    const isGone = happened.isErased(metadata.tenant, id)
    if ((type === 'FlowRunStarted' || type === 'FlowRunTakenOver') && !isGone) waiting.set(`${data.runId} ${id}`, type)
    if (type === 'FlowRunEnded' || type === 'FlowRunMovedAway') waiting.delete(`${data.runId} ${id}`)
  }
  return [...waiting].map(([run, since]) => `flow run ${run} waits for ever since ${since}`)
}

import { storedCommand } from '@prosa/contracts/stored-commands'
import { type Clock, later } from '../clock.ts'
import { deriveId } from '../derive-id.ts'
import type { EventStore, Position } from '../event-store/port.ts'

/** 24 hours (`idempotent-requests.ts`) and some clock drift. */
const repeatedWithinMs = 25 * 3_600_000

interface SameCommand {
  commandId: string
  type: string
  tenant: string | null
}

/** The command's last event, if stored. */
export type FindEarlier = (
  stream: string,
  command: SameCommand,
) => Promise<{ revision: bigint; position: Position } | undefined>

export const findEarlier = (store: EventStore, clock: Clock): FindEarlier => {
  const findFirst = async (stream: string, id: string, tenant: string | null): Promise<bigint | undefined> => {
    const since = later(clock.now(), -repeatedWithinMs)
    for await (const page of store.readBack(stream))
      for (const event of page) {
        if (event.metadata.tenant !== tenant || event.metadata.recordedAt < since) return undefined
        if (event.id === id) return event.revision
      }
    return undefined
  }

  return async (stream, { commandId, type, tenant }) => {
    const first = await findFirst(stream, deriveId(commandId, stream, storedCommand(type), 0), tenant)
    if (first === undefined) return undefined
    let next = 0
    let last: { revision: bigint; position: Position } | undefined
    search: for await (const page of store.read(stream, { from: first }))
      for (const event of page) {
        if (event.id !== deriveId(commandId, stream, storedCommand(type), next)) break search
        next += 1
        last = event
      }
    if (!last) throw new Error('an event of the log is gone')
    return last
  }
}

import type { Reachability } from '../../async/reachability.ts'
import type { Filter } from '../port.ts'
import { catchUp, type Page } from './catch-up.ts'
import type { Client } from './client.ts'

/** Without a filter of every stream but the server's. Also ends on abort. */
export type PagesOfLog = (after: bigint, upTo: bigint, filter?: Filter, signal?: AbortSignal) => AsyncGenerator<Page>

interface Deps {
  client: Client
  server: Reachability
  silenceMs: number
  requireOpen: () => void
  saw: (numericPosition: bigint) => void
}

export const pagesOfLog = ({ client, server, silenceMs, requireOpen, saw }: Deps): PagesOfLog =>
  async function* (after, upTo, filter, signal) {
    let numericPosition = after
    let source: AsyncGenerator<Page> | undefined
    const pull = async () => {
      requireOpen()
      source ??= catchUp(client, numericPosition, upTo, filter?.categories, { silenceMs, signal })
      try {
        return await source.next()
      } catch (error) {
        source = undefined
        throw error
      }
    }
    try {
      while (numericPosition < upTo && !signal?.aborted) {
        const step = await (signal ? server.retryUntilAborted(pull, signal) : server.retryForAWhile(pull))
        if (step === undefined || step.done) return
        numericPosition = step.value.upTo
        saw(numericPosition)
        yield step.value
      }
    } finally {
      await source?.return(undefined)
    }
  }

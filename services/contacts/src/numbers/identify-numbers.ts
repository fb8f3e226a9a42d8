import { StoreUnavailable } from '@prosa/kernel/async/reachability'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Logger } from '@prosa/kernel/observability/log'
import type { Ports } from '@prosa/kernel/ports'
import { commandContactAt } from '../contact/command-contact-at.ts'
import { isActive } from '../contact/contact-state.ts'
import type { ContactHandlers } from '../handlers.ts'
import { openLines } from '../open-lines.ts'
import { findUnidentified } from '../queries.ts'
import { stepOf } from '../step-of.ts'
import type { LookedUp } from './looked-up-numbers.ts'
import type { NumberLookUp } from './number-look-up.ts'
import { unidentifiedNumbers } from './unidentified-numbers.ts'

const name = 'identify-numbers'

const maxWaitMs = 2000
/** Attendants need some of a line's look-ups. */
const maxAtOnce = 20

/** Lines opened since trigger the same. */
const maxAgeMs = 10 * 60_000

type Deps = Pick<Ports, 'pool' | 'readModels'> & { log: Pick<Logger, 'info'> }

/** Identifies numbers added while no line could ask, once a line opens or someone known only by LID writes. */
export const identifyNumbers = (
  handlers: ContactHandlers,
  lookUp: NumberLookUp,
  { pool, readModels, log }: Deps,
): Reactor => {
  /** Retries once: a newly opened line may not answer. */
  const ask = async (tenant: string, requestId: string, phone: string): Promise<LookedUp | undefined> => {
    for (const attempt of ['first', 'second']) {
      const found = await lookUp(tenant, deriveId(requestId, attempt), phone)
      if (found !== undefined) return found === 'nobody' || 'phone' in found ? found : undefined
    }
    return undefined
  }

  /** False if WhatsApp cannot be asked now. */
  const identify = async (tenant: string, contactId: string, context: CommandContext): Promise<boolean> => {
    const { contacts } = handlers
    const known = await contacts.load(contactId, tenant)
    if (!isActive(known) || known.phone === null || known.lid !== null) return true
    const step = stepOf(context, contactId)
    const found = await ask(tenant, step.commandId, known.phone)
    if (found === undefined) return false
    if (found === 'nobody' || found.lid === null) return true
    await commandContactAt(handlers, tenant, found, { type: 'IdentifyContact', data: {} }, step)
    return true
  }

  const identifyAll = async (event: Stored) => {
    const { tenant, correlationId, recordedAt } = event.metadata
    const isLongAgo = Date.parse(handlers.clock.now()) - Date.parse(recordedAt) > maxAgeMs
    if (tenant === null || isLongAgo) return
    // The read model may lag behind a newly opened line.
    const isLine = event.type === 'LineOpened'
    if (isLine && !(await readModels.reached([openLines.name, unidentifiedNumbers.name], event.position, maxWaitMs)))
      throw new StoreUnavailable(
        'the lines and numbers of the account are not known up to this position of the log yet',
      )
    for (const contactId of await findUnidentified(pool, tenant, maxAtOnce))
      if (!(await identify(tenant, contactId, contextFor(name, event)))) {
        log.info({ correlationId }, 'numbers that were added are looked up later')
        return
      }
  }

  return {
    name,
    categories: ['connection', 'contact'],
    key: ({ stream, metadata }) => metadata.tenant ?? stream,
    on: {
      LineOpened: identifyAll,
      async ContactAdded(event) {
        if (event.data.origin === 'message' && event.data.phone === null) await identifyAll(event)
      },
    },
  }
}

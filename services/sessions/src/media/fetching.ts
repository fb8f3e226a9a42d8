import { mediaFolder } from '@prosa/contracts/media-file-name'
import type { Instant } from '@prosa/contracts/values/instant'
import { later } from '@prosa/kernel/clock'
import { isTransient } from '@prosa/kernel/consumers/engine/failure'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import { correlated } from '@prosa/kernel/observability/correlation'
import { listen } from '@prosa/kernel/postgres/listen'
import type { Ports } from '@prosa/product/ports'
import { type AskPhoneDeps, askPhone } from './ask-phone.ts'
import { type BringDeps, bringMedia } from './bring-media.ts'
import type { MediaCommand } from './media.ts'
import type { MediaHandler } from './media-handler.ts'
import {
  type ClaimedMedia,
  claimWanted,
  extendClaim,
  mediaChannel,
  nextWanted,
  putBack,
  settleWanted,
} from './queries.ts'
import { releaseReceived } from './storage/queries.ts'
import { StorageReserved, Unfetchable } from './unfetchable.ts'

export interface FetchingDeps extends BringDeps, Pick<AskPhoneDeps, 'outbox'> {
  ports: BringDeps['ports'] & Pick<Ports, 'pool' | 'clock' | 'budgets' | 'databaseUrl' | 'log'>
  medias: MediaHandler
  /** Backoff in ms; gives up after the last. */
  pauses?: readonly number[]
  onStorageFull?: () => void
}

const name = 'fetch-media'
const maxAtOnce = 4
/** Six attempts within about four minutes. */
const defaultPauses: readonly number[] = [2000, 10_000, 30_000, 60_000, 120_000]
/** Our own outage does not count as an attempt. */
const ownOutageMs = 5000
/** Quota reserved by the tenant's other files: no attempt either. */
const roomReservedMs = 2000
/** As long as a dead process holds a connection. */
const claimMs = 15_000
const pollMs = 2000

const contextOf = ({ tenant, eventId, correlationId }: ClaimedMedia): CommandContext => ({
  commandId: deriveId(name, eventId),
  actor: { kind: 'system', id: name },
  tenant,
  causationId: eventId,
  correlationId,
})

const record = async (
  { ports: { pool, files }, medias }: FetchingDeps,
  wanted: ClaimedMedia,
  command: MediaCommand,
) => {
  const outcome = await medias(wanted.id, command, contextOf(wanted))
  // A file stored after the erasure is deleted too.
  if (!outcome.ok) await files.deleteAll(mediaFolder(wanted.tenant, wanted.id))
  const isStored = outcome.ok && command.type === 'StoreMedia'
  await settleWanted(pool, wanted, isStored ? command.data.bytes : 0)
}

const bring = async (deps: FetchingDeps, wanted: ClaimedMedia, signal: AbortSignal) => {
  const { ports, pauses = defaultPauses, onStorageFull = () => undefined } = deps
  const { pool, clock, log } = ports
  const { contactId } = wanted
  try {
    const brought = await bringMedia(deps, wanted, signal)
    if (brought) await record(deps, wanted, { type: 'StoreMedia', data: { contactId, ...brought } })
    else await settleWanted(pool, wanted, 0)
  } catch (error) {
    const reason = error instanceof Unfetchable ? error.reason : undefined
    if (signal.aborted) return putBack(pool, wanted.id, clock.now(), false)
    if (error instanceof StorageReserved) return putBack(pool, wanted.id, later(clock.now(), roomReservedMs), false)
    if (reason === 'no_room') onStorageFull()
    log.warn({ err: error, media: wanted.id, attempts: wanted.attempts, reason }, 'media not fetched')
    // Asked once: a file that the phone lacks is lost.
    if (reason === 'expired' && !wanted.isPhoneAsked && (await askPhone(deps, wanted))) return
    if (reason !== undefined) return record(deps, wanted, { type: 'GiveUpMedia', data: { contactId, reason } })
    if (isTransient(error)) return putBack(pool, wanted.id, later(clock.now(), ownOutageMs), false)
    const pause = pauses[wanted.attempts]
    if (pause !== undefined) return putBack(pool, wanted.id, later(clock.now(), pause), true)
    await record(deps, wanted, { type: 'GiveUpMedia', data: { contactId, reason: 'out_of_reach' } })
  }
}

/** Four files at a time, a few of each tenant. Processes share the queue; a dead one's work is taken over within 15 s. */
export const fetchMedia = async (deps: FetchingDeps, signal: AbortSignal): Promise<void> => {
  const { ports } = deps
  const { pool, clock, log, budgets } = ports
  const inFlight = new Set<Promise<void>>()
  let isWoken = false
  let endSleep: () => void = () => undefined
  const wake = () => {
    isWoken = true
    endSleep()
  }

  const logTrouble = (error: unknown) => log.warn({ err: error }, 'fetching of media interrupted')
  const until = () => later(clock.now(), claimMs)

  const start = (wanted: ClaimedMedia) => {
    const renewal = setInterval(() => {
      extendClaim(pool, wanted.id, until()).catch(logTrouble)
    }, claimMs / 3)
    const done: Promise<void> = correlated(wanted.correlationId, () => bring(deps, wanted, signal))
      .finally(() => releaseReceived(pool, wanted.id))
      // Claim and reservation expire; another process retries.
      .catch(logTrouble)
      .finally(() => {
        clearInterval(renewal)
        inFlight.delete(done)
        wake()
      })
    inFlight.add(done)
  }

  const sleep = async (ms: number) => {
    if (isWoken || signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      endSleep = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
  const untilNext = async (claimedAt: Instant) => {
    const next = inFlight.size < maxAtOnce ? await nextWanted(pool, claimedAt) : undefined
    if (next === undefined) return pollMs
    return Math.max(1, Math.min(pollMs, Date.parse(next) - Date.parse(clock.now())))
  }

  signal.addEventListener('abort', wake, { once: true })
  listen(ports.databaseUrl, mediaChannel, wake, signal)
  while (!signal.aborted) {
    isWoken = false
    try {
      const limit = maxAtOnce - inFlight.size
      const now = clock.now()
      const claim = { limit, perTenant: budgets.fetchesPerTenant, now, until: until() }
      for (const wanted of limit > 0 ? await claimWanted(pool, claim) : []) start(wanted)
      await sleep(await untilNext(now))
    } catch (error) {
      logTrouble(error)
      await sleep(pollMs)
    }
  }
  await Promise.all(inFlight)
}

import { once } from 'node:events'
import { beginning } from '@prosa/kernel/event-store/port'
import { exclusively } from '@prosa/kernel/postgres/exclusively'
import { parkedWorkHandler } from '@prosa/kernel/reactors/parked-work'
import { takeOver } from '@prosa/kernel/reactors/queries'
import { allCheckpoints, loadCheckpoint } from '@prosa/kernel/read-models/checkpoints'
import { projectionWorker } from '@prosa/kernel/read-models/parked-tenants'
import { measureOf, newFigure, type ProjectionFigures } from './figures.ts'
import { lazily } from './lazily.ts'
import { liveWrites } from './live-writes.ts'
import { parkedTenants, type Reign } from './parked-tenants.ts'
import { nameOf, persevere, told } from './persevere.ts'
import { prepareReadModel } from './prepare-read-model.ts'
import { concerns, type Projection } from './projection.ts'
import { shownVersion } from './queries.ts'
import { forgetRebuild, type RebuildDeps, rebuild } from './rebuild.ts'
import { retryParked } from './retry-parked.ts'
import { type WriteTogether, writeTogether } from './write-together.ts'

export interface ProjectionDeps extends RebuildDeps {
  databaseUrl: string
  /** Shared by the projections of one process; without it this one writes alone. */
  together?: WriteTogether
  /** See `exclusively`; only tests change it. */
  silenceMilliseconds?: number
}

/** A reader who waits for a position that concerns another read model waits so much longer; in return nothing is written for it. */
const passingMilliseconds = 25
/** A read model that was never filled and has more than this before it is filled as a rebuild is; in the log's own measure. */
const longWay = 10_000

/**
 * Keeps one read model up with the log from its checkpoint on, in one process at a time, until the signal aborts; what is
 * being written then is finished first. What another version built is first built anew beside it. An event that cannot be
 * folded parks its tenant: everything before the event is shown, what comes after it for the tenant waits in line, and the
 * others go on. See decision 0021.
 */
export const runProjection = <Row extends object>(
  projection: Projection<Row>,
  deps: ProjectionDeps,
  signal: AbortSignal,
  figures: ProjectionFigures,
): Promise<void> => {
  const { store, codec, pool, databaseUrl, log, clock, silenceMilliseconds } = deps
  const { name, version, categories } = projection
  const together = deps.together ?? writeTogether(pool)
  const worker = projectionWorker(name)
  const figure = newFigure()
  figures.set(name, figure)

  /** False when it had to stop, or the signal aborted, before what is shown is of this version. */
  const bringToVersion = async (reign: Reign, until: AbortSignal): Promise<boolean> => {
    await prepareReadModel(pool, projection)
    const shown = await shownVersion(pool, name)
    figure.position = shown?.position
    if (shown?.version === version && !(shown.position === beginning && (await isFarBehind()))) {
      await forgetRebuild(pool, projection)
      return true
    }
    figure.state = 'rebuilding'
    try {
      return await rebuild(projection, deps, reign, figure, until)
    } finally {
      delete figure.progress
    }
  }

  const isFarBehind = async () => (await allCheckpoints(pool)).some(({ position }) => measureOf(position) > longWay)

  const work = async (until: AbortSignal): Promise<void> => {
    const stopped = async () => {
      if (!until.aborted) await once(until, 'abort')
    }
    const reign = { worker, epoch: await takeOver(pool, worker) }
    if (!(await bringToVersion(reign, until))) return await stopped()
    const parked = await parkedTenants({ pool, clock, reign, worker, version })
    const from = await loadCheckpoint(pool, name, version)
    figure.position = from
    figure.state = 'catching up'

    const writes = liveWrites(projection, { codec, pool, together, log, figure, parked }, from)
    const { write } = writes
    const advance = persevere(write, writes.park, { name, log, figure, until })
    const arrivedAt = (live: boolean) => {
      figure.state = live ? 'following' : 'catching up'
      if (!live) return
      figure.caughtUpAt = clock.now()
      delete figure.trouble
    }

    let passed = from
    let failure: { error: unknown } | undefined
    const failed = new AbortController()
    const fail = (error: unknown) => {
      failure ??= { error }
      failed.abort()
    }
    /** What passed by without concerning this read model is written down with what does, or a moment later. */
    const passing = lazily(
      passingMilliseconds,
      async () => {
        if (passed > writes.reached()) await write([], passed)
      },
      fail,
    )
    const signals = AbortSignal.any([until, failed.signal])
    const works = parkedWorkHandler({ store, codec, clock })
    const retrying = retryParked({ pool, store, works, log, worker, parked, writes }, signals).catch(fail)
    try {
      for await (const { events, upTo, live } of store.subscribe(from, { categories }, signals)) {
        const concerning = events.filter((event) => concerns(projection, event))
        if (concerning.length === 0) {
          passed = upTo
          if (upTo > writes.reached()) passing.soon()
          arrivedAt(live)
          continue
        }
        // From here on nothing may be written as passed: these events are still to be folded.
        await passing.idle()
        if (failure) break
        figure.state = 'catching up'
        if (!(await advance(concerning, upTo))) return await stopped()
        arrivedAt(live)
      }
    } finally {
      await passing.idle()
      failed.abort()
      await retrying
    }
    if (failure) throw failure.error
  }

  const interrupted = (error: unknown) => {
    figure.state = 'interrupted'
    figure.trouble = { reason: nameOf(error) }
    log.warn({ projection: name, ...told(error) }, 'projection interrupted')
  }

  return exclusively(databaseUrl, worker, signal, work, { onTrouble: interrupted, silenceMilliseconds })
}

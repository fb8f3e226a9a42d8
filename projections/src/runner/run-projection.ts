import { once } from 'node:events'
import type { Clock } from '@prosa/kernel/clock'
import { beginning } from '@prosa/kernel/event-store/port'
import { exclusively } from '@prosa/kernel/postgres/exclusively'
import { allCheckpoints, loadCheckpoint } from '@prosa/kernel/read-models/checkpoints'
import { measureOf, newFigure, type ProjectionFigures } from './figures.ts'
import { lazily } from './lazily.ts'
import { liveRows } from './live-rows.ts'
import { nameOf, persevere, told, type Write } from './persevere.ts'
import { prepareReadModel } from './prepare-read-model.ts'
import { concerns, type Projection } from './projection.ts'
import { shownVersion } from './queries.ts'
import { forgetRebuild, type RebuildDeps, rebuild } from './rebuild.ts'
import { type WriteTogether, writeTogether } from './write-together.ts'

export interface ProjectionDeps extends RebuildDeps {
  databaseUrl: string
  clock: Clock
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
 * folded is tried a few times and then stops this projection where it stands: everything before the event is shown, nothing
 * is skipped, and its figure says so.
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
  const figure = newFigure()
  figures.set(name, figure)

  /** False when it had to stop, or the signal aborted, before what is shown is of this version. */
  const bringToVersion = async (until: AbortSignal): Promise<boolean> => {
    await prepareReadModel(pool, projection)
    const shown = await shownVersion(pool, name)
    figure.position = shown?.position
    if (shown?.version === version && !(shown.position === beginning && (await isFarBehind()))) {
      await forgetRebuild(pool, projection)
      return true
    }
    figure.state = 'rebuilding'
    try {
      return await rebuild(projection, deps, figure, until)
    } finally {
      delete figure.progress
    }
  }

  const isFarBehind = async () => (await allCheckpoints(pool)).some(({ position }) => measureOf(position) > longWay)

  const work = async (until: AbortSignal): Promise<void> => {
    const stopped = async () => {
      if (!until.aborted) await once(until, 'abort')
    }
    if (!(await bringToVersion(until))) return await stopped()
    let reached = await loadCheckpoint(pool, name, version)
    figure.position = reached
    figure.state = 'catching up'

    const foldIn = liveRows(projection, pool, together)
    const write: Write = async (events, upTo) => {
      await foldIn(await codec.decode(events), reached, upTo)
      reached = upTo
      figure.position = upTo
      figure.batches += 1
      figure.events += events.length
    }
    const advance = persevere(write, { name, log, figure, until })
    const arrivedAt = (live: boolean) => {
      figure.state = live ? 'following' : 'catching up'
      if (!live) return
      figure.caughtUpAt = clock.now()
      delete figure.trouble
    }

    let passed = reached
    let failure: { error: unknown } | undefined
    const failed = new AbortController()
    /** What passed by without concerning this read model is written down with what does, or a moment later. */
    const passing = lazily(
      passingMilliseconds,
      async () => {
        if (passed > reached) await write([], passed)
      },
      (error) => {
        failure = { error }
        failed.abort()
      },
    )
    const signals = AbortSignal.any([until, failed.signal])
    try {
      for await (const { events, upTo, live } of store.subscribe(reached, { categories }, signals)) {
        const concerning = events.filter((event) => concerns(projection, event))
        if (concerning.length === 0) {
          passed = upTo
          if (upTo > reached) passing.soon()
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
    }
    if (failure) throw failure.error
  }

  const interrupted = (error: unknown) => {
    figure.state = 'interrupted'
    figure.trouble = { reason: nameOf(error) }
    log.warn({ projection: name, ...told(error) }, 'projection interrupted')
  }

  return exclusively(databaseUrl, `projection ${name}`, signal, work, { onTrouble: interrupted, silenceMilliseconds })
}

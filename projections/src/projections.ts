import type { Ports, Service } from '@prosa/kernel/ports'
import { projectionWorker } from '@prosa/kernel/read-models/parked-tenants'
import { account } from './account/projection.ts'
import { accountRoutes } from './account/routes.ts'
import { chatMessages } from './chat-messages/projection.ts'
import { chatMessageRoutes } from './chat-messages/routes.ts'
import { connections } from './connections/projection.ts'
import type { Network } from './connections/queries.ts'
import { connectionRoutes } from './connections/routes.ts'
import { contactList } from './contact-list/projection.ts'
import { contactListRoutes } from './contact-list/routes.ts'
import { contactNotes } from './contact-notes/projection.ts'
import { contactNoteRoutes } from './contact-notes/routes.ts'
import { mediaFiles } from './media/projection.ts'
import { mediaRoutes } from './media/routes.ts'
import { messageSearch } from './message-search/projection.ts'
import { messageSearchRoutes } from './message-search/routes.ts'
import { quickReplies } from './quick-replies/projection.ts'
import { quickReplyRoutes } from './quick-replies/routes.ts'
import { healthOf, type ProjectionFigures, type ReportedFigure, reportFigures } from './runner/figures.ts'
import { projectionMetrics } from './runner/metrics.ts'
import { prepareReadModel } from './runner/prepare-read-model.ts'
import type { Projection } from './runner/projection.ts'
import { runProjection } from './runner/run-projection.ts'
import { showProgress } from './runner/show-progress.ts'
import { type WriteTogether, writeTogether } from './runner/write-together.ts'

/** A projection whose rows are nobody else's business. */
interface ReadModel {
  name: string
  prepare(ports: Ports): Promise<void>
  run(ports: Ports & { together: WriteTogether }, signal: AbortSignal, figures: ProjectionFigures): Promise<void>
}

const readModel = <Row extends object>(projection: Projection<Row>): ReadModel => ({
  name: projection.name,
  prepare: ({ pool }) => prepareReadModel(pool, projection),
  run: (ports, signal, figures) => runProjection(projection, ports, signal, figures),
})

const readModels = [
  readModel(account),
  readModel(connections),
  readModel(contactList),
  readModel(contactNotes),
  readModel(chatMessages),
  readModel(mediaFiles),
  readModel(messageSearch),
  readModel(quickReplies),
]

const allRoutes = [
  accountRoutes,
  contactListRoutes,
  contactNoteRoutes,
  chatMessageRoutes,
  mediaRoutes,
  messageSearchRoutes,
  quickReplyRoutes,
]

export interface ProjectionSettings {
  /** Where new connections may link to; the first one is also that of connections without a choice. Without it, WhatsApp. */
  networks?: readonly [Network, ...Network[]]
}

export interface Projections extends Service {
  /** What each projection of this process is doing, for metrics; none before it is mounted. */
  figures(): ReportedFigure[]
}

/** Keeps all read models up with the log, and answers every GET. */
export const projections = ({ networks = ['whatsapp'] }: ProjectionSettings = {}): Projections => {
  const figures: ProjectionFigures = new Map()
  let report: () => ReportedFigure[] = () => []
  return {
    name: 'projections',
    figures: () => report(),
    async mount(ports) {
      for (const model of readModels) await model.prepare(ports)
      report = () => reportFigures(figures, ports.clock)
      return {
        routes: async (app) => {
          for (const routes of allRoutes) await app.register(routes(ports))
          await app.register(connectionRoutes(ports, networks))
        },
        run: async (signal) => {
          showProgress(figures, { log: ports.log, terminal: process.stdout }, signal)
          const pool = ports.writePool
          const together = writeTogether(pool)
          await Promise.all(readModels.map((model) => model.run({ ...ports, pool, together }, signal, figures)))
        },
        parkers: readModels.map(({ name }) => projectionWorker(name)),
        health: () => healthOf(figures),
        figures: () => projectionMetrics(report()),
      }
    },
  }
}

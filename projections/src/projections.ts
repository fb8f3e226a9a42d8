import type { Ports, Service } from '@prosa/kernel/ports'
import { account } from './account/projection.ts'
import { accountRoutes } from './account/routes.ts'
import { chatMessages } from './chat-messages/projection.ts'
import { chatMessageRoutes } from './chat-messages/routes.ts'
import { connections } from './connections/projection.ts'
import { connectionRoutes } from './connections/routes.ts'
import { contactList } from './contact-list/projection.ts'
import { contactListRoutes } from './contact-list/routes.ts'
import { createReadModel } from './runner/prepare-read-model.ts'
import type { Projection } from './runner/projection.ts'
import { type ProjectionHealth, runProjection } from './runner/run-projection.ts'

/** A projection whose rows are nobody else's business. */
interface ReadModel {
  create(ports: Ports): Promise<void>
  run(ports: Ports, signal: AbortSignal, health: ProjectionHealth): Promise<void>
}

const readModel = <Row extends object>(projection: Projection<Row>): ReadModel => ({
  create: ({ pool }) => createReadModel(pool, projection),
  run: (ports, signal, health) => runProjection(projection, ports, signal, health),
})

const readModels = [readModel(account), readModel(connections), readModel(contactList), readModel(chatMessages)]

/** Keeps all read models up with the log, and answers every GET. */
export const projections = (): Service => ({
  name: 'projections',
  async mount(ports) {
    const health: ProjectionHealth = new Map()
    for (const model of readModels) await model.create(ports)
    return {
      routes: async (app) => {
        for (const routes of [accountRoutes, connectionRoutes, contactListRoutes, chatMessageRoutes])
          await app.register(routes(ports))
      },
      run: async (signal) => {
        await Promise.all(readModels.map((model) => model.run(ports, signal, health)))
      },
      health: () => Object.fromEntries([...health].map(([name, trouble]) => [`projection ${name}`, trouble])),
    }
  },
})

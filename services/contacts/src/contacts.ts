import { keepReadModels, readModel } from '@prosa/kernel/consumers/projections/keep-read-models'
import type { Service } from '@prosa/product/ports'
import { eraseOnUserErased } from './erase-on-user-erased.ts'
import { forgetOnContactErased } from './forget-on-contact-erased.ts'
import { contactHandlers } from './handlers.ts'
import { identifyNumbers } from './identify-numbers.ts'
import { labelOnFlowLabelRequested } from './label-on-flow-label-requested.ts'
import { forgetLookUpsOnContactErased, lookedUpNumbers } from './looked-up-numbers.ts'
import { markRobotsOnFlowsPaused } from './mark-robots-on-flows-paused.ts'
import { contactMigrations } from './migrations/contact-migrations.ts'
import { numberLookUp } from './number-look-up.ts'
import { openLines } from './open-lines.ts'
import { outOfHoursFlows } from './out-of-hours-flows.ts'
import { presenceBridge } from './presence-bridge.ts'
import { hasOutOfHoursFlow } from './queries.ts'
import { queueOnFlowMessageRequested } from './queue-on-flow-message-requested.ts'
import { receiveOnMessageArrived } from './receive-on-message-arrived.ts'
import { replyOutOfHours } from './reply-out-of-hours.ts'
import { contactDetailRoutes } from './routes/contact-detail-routes.ts'
import { contactRoutes } from './routes/contact-routes.ts'
import { correctionRoutes } from './routes/correction-routes.ts'
import { labelRoutes } from './routes/label-routes.ts'
import { messageRoutes } from './routes/message-routes.ts'
import { openingHoursRoutes } from './routes/opening-hours-routes.ts'
import { quickReplyRoutes } from './routes/quick-reply-routes.ts'
import { reactionRoutes } from './routes/reaction-routes.ts'
import { rememberMessageIds, sentMessageIds } from './sent-message-ids.ts'
import { settleOnContactAbsorbed } from './settle-on-contact-absorbed.ts'
import { tickOnDeliveryReported } from './tick-on-delivery-reported.ts'
import { unidentifiedNumbers } from './unidentified-numbers.ts'

/** `publicUrl`: base of counted links. */
export const contactsAt = (publicUrl: string | undefined): Service => ({
  name: 'contacts',
  migrations: contactMigrations,
  async mount(ports) {
    const handlers = contactHandlers(ports)
    const numbers = lookedUpNumbers(ports.pool, ports.box, ports.clock)
    const lookUp = numberLookUp(ports, numbers)
    const messageIds = sentMessageIds(ports.pool)
    const kept = await keepReadModels(
      [readModel(openLines), readModel(outOfHoursFlows), readModel(unidentifiedNumbers)],
      ports,
    )
    return {
      async routes(app) {
        await app.register(contactRoutes(handlers, lookUp))
        await app.register(contactDetailRoutes(handlers))
        await app.register(messageRoutes(handlers, messageIds, ports.entitlements))
        await app.register(reactionRoutes(handlers))
        await app.register(correctionRoutes(handlers))
        await app.register(quickReplyRoutes(handlers))
        await app.register(openingHoursRoutes(handlers))
        await app.register(labelRoutes(handlers, ports))
      },
      reactors: [
        receiveOnMessageArrived(handlers),
        tickOnDeliveryReported(handlers),
        settleOnContactAbsorbed(handlers),
        forgetOnContactErased(handlers),
        eraseOnUserErased(handlers),
        rememberMessageIds(messageIds),
        replyOutOfHours({
          ...handlers,
          messageIds,
          entitlements: ports.entitlements,
          log: ports.log,
          hasOutOfHoursFlow: (owner, connectionId) => hasOutOfHoursFlow(ports.pool, owner, connectionId),
        }),
        queueOnFlowMessageRequested({ ...handlers, messageIds, entitlements: ports.entitlements, publicUrl }),
        labelOnFlowLabelRequested({ ...handlers, log: ports.log }),
        identifyNumbers(handlers, lookUp, ports),
        markRobotsOnFlowsPaused({ ...handlers, log: ports.log }),
        forgetLookUpsOnContactErased(numbers),
      ],
      parkers: kept.parkers,
      health: kept.health,
      metrics: kept.metrics,
      async run(signal) {
        presenceBridge(handlers, ports, signal)
        await kept.run(signal)
      },
    }
  },
})

/** Without a public URL links are sent unchanged. */
export const contacts: Service = contactsAt(undefined)

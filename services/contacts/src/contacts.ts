import { keepReadModels, readModel } from '@prosa/kernel/consumers/projections/keep-read-models'
import { apiKeys } from '@prosa/product/keys/api-keys'
import type { Service } from '@prosa/product/ports'
import { labelOnFlowLabelRequested, setFieldOnFlowFieldRequested } from './act-on-flow-requests.ts'
import { receiveOnMessageArrived } from './chat/receive-on-message-arrived.ts'
import { recordMessageIds, sentMessageIds } from './chat/sent-message-ids.ts'
import { tickOnDeliveryReported } from './chat/tick-on-delivery-reported.ts'
import { forgetOnContactErased } from './contact/forget-on-contact-erased.ts'
import { settleOnContactAbsorbed } from './contact/settle-on-contact-absorbed.ts'
import { contactsOfTenant, tenantContacts } from './contact/tenant-contacts.ts'
import { eraseOnUserErased } from './erase-on-user-erased.ts'
import { finishOnFlowFinishRequested } from './finish-on-flow-finish-requested.ts'
import { contactHandlers } from './handlers.ts'
import { markRobotsOnFlowsPaused } from './mark-robots-on-flows-paused.ts'
import { contactMigrations } from './migrations/contact-migrations.ts'
import { identifyNumbers } from './numbers/identify-numbers.ts'
import { forgetLookUpsOnContactErased, lookedUpNumbers } from './numbers/looked-up-numbers.ts'
import { numberLookUp } from './numbers/number-look-up.ts'
import { unidentifiedNumbers } from './numbers/unidentified-numbers.ts'
import { openLines } from './open-lines.ts'
import { presenceBridge } from './presence-bridge.ts'
import { hasOutOfHoursFlow } from './queries.ts'
import { contactDetailRoutes } from './routes/contact-detail-routes.ts'
import { contactFieldRoutes } from './routes/contact-field-routes.ts'
import { contactRoutes } from './routes/contact-routes.ts'
import { conversationRoutes } from './routes/conversation-routes.ts'
import { correctionRoutes } from './routes/correction-routes.ts'
import { labelRoutes } from './routes/label-routes.ts'
import { messageRoutes } from './routes/message-routes.ts'
import { openingHoursRoutes } from './routes/opening-hours-routes.ts'
import { programRoutes } from './routes/program-routes.ts'
import { quickReplyRoutes } from './routes/quick-reply-routes.ts'
import { reactionRoutes } from './routes/reaction-routes.ts'
import { outOfHoursFlows } from './sending/out-of-hours-flows.ts'
import { queueOnFlowMessageRequested } from './sending/queue-on-flow-message-requested.ts'
import { replyOutOfHours } from './sending/reply-out-of-hours.ts'

/** `publicUrl`: base of counted links. */
export const contactsAt = (publicUrl: string | undefined): Service => ({
  name: 'contacts',
  migrations: contactMigrations,
  async mount(ports) {
    const handlers = contactHandlers(ports)
    const numbers = lookedUpNumbers(ports.pool, ports.box, ports.clock)
    const lookUp = numberLookUp(ports, numbers)
    const messageIds = sentMessageIds(ports.pool)
    const readModels = await keepReadModels(
      [readModel(openLines), readModel(outOfHoursFlows), readModel(unidentifiedNumbers), readModel(tenantContacts)],
      ports,
    )
    return {
      async routes(app) {
        await app.register(contactRoutes(handlers, lookUp))
        await app.register(conversationRoutes(handlers))
        await app.register(contactDetailRoutes(handlers))
        await app.register(messageRoutes(handlers, messageIds, ports.entitlements))
        await app.register(programRoutes({ ...ports, handlers, lookUp, messageIds, keys: apiKeys(ports) }))
        await app.register(reactionRoutes(handlers))
        await app.register(correctionRoutes(handlers))
        await app.register(quickReplyRoutes(handlers))
        await app.register(openingHoursRoutes(handlers, ports))
        await app.register(labelRoutes(handlers, ports))
        await app.register(contactFieldRoutes(handlers))
      },
      reactors: [
        receiveOnMessageArrived(handlers),
        tickOnDeliveryReported(handlers),
        settleOnContactAbsorbed(handlers),
        forgetOnContactErased(handlers),
        eraseOnUserErased(handlers, contactsOfTenant(ports)),
        recordMessageIds(messageIds),
        replyOutOfHours({
          ...handlers,
          messageIds,
          entitlements: ports.entitlements,
          log: ports.log,
          hasOutOfHoursFlow: (tenant, connectionId) => hasOutOfHoursFlow(ports.pool, tenant, connectionId),
        }),
        queueOnFlowMessageRequested({ ...handlers, messageIds, entitlements: ports.entitlements, publicUrl }),
        labelOnFlowLabelRequested({ ...handlers, log: ports.log }),
        setFieldOnFlowFieldRequested({ ...handlers, log: ports.log }),
        identifyNumbers(handlers, lookUp, ports),
        markRobotsOnFlowsPaused({ ...handlers, log: ports.log }),
        finishOnFlowFinishRequested({ ...handlers, log: ports.log }),
        forgetLookUpsOnContactErased(numbers),
      ],
      parkers: readModels.parkers,
      health: readModels.health,
      metrics: readModels.metrics,
      async run(signal) {
        presenceBridge(handlers, ports, signal)
        await readModels.run(signal)
      },
    }
  },
})

/** Without a public URL links are sent unchanged. */
export const contacts: Service = contactsAt(undefined)

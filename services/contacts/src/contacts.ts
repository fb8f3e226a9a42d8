import type { Service } from '@prosa/kernel/ports'
import { eraseOnUserErased } from './erase-on-user-erased.ts'
import { forgetOnContactErased } from './forget-on-contact-erased.ts'
import { contactHandlers } from './handlers.ts'
import { forgetLookUpsOnContactErased, lookedUpNumbers } from './looked-up-numbers.ts'
import { noteOnLineOpened } from './note-on-line-opened.ts'
import { numberLookUp } from './number-look-up.ts'
import { presenceBridge } from './presence-bridge.ts'
import { createContactTables } from './queries.ts'
import { receiveOnMessageArrived } from './receive-on-message-arrived.ts'
import { contactDetailRoutes } from './routes/contact-detail-routes.ts'
import { contactRoutes } from './routes/contact-routes.ts'
import { correctionRoutes } from './routes/correction-routes.ts'
import { messageRoutes } from './routes/message-routes.ts'
import { quickReplyRoutes } from './routes/quick-reply-routes.ts'
import { rememberMessageIds, sentMessageIds } from './sent-message-ids.ts'
import { settleOnContactAbsorbed } from './settle-on-contact-absorbed.ts'
import { tickOnLineNews } from './tick-on-line-news.ts'

/** Contacts, who they are, their conversations, and the texts that attendants call up in them. */
export const contacts: Service = {
  name: 'contacts',
  async mount(ports) {
    await createContactTables(ports.pool)
    const handlers = contactHandlers(ports)
    const numbers = lookedUpNumbers(ports.pool, ports.box, ports.clock)
    const lookUp = numberLookUp(ports, numbers)
    const messageIds = sentMessageIds(ports.pool)
    return {
      async routes(app) {
        await app.register(contactRoutes(handlers, lookUp))
        await app.register(contactDetailRoutes(handlers))
        await app.register(messageRoutes(handlers, messageIds))
        await app.register(correctionRoutes(handlers))
        await app.register(quickReplyRoutes(handlers))
      },
      reactors: [
        receiveOnMessageArrived(handlers),
        tickOnLineNews(handlers),
        settleOnContactAbsorbed(handlers),
        forgetOnContactErased(handlers),
        eraseOnUserErased(handlers),
        noteOnLineOpened(ports.pool),
        rememberMessageIds(messageIds),
        forgetLookUpsOnContactErased(numbers),
      ],
      async run(signal) {
        presenceBridge(handlers, ports, signal)
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      },
    }
  },
}

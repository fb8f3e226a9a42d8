import type { Service } from '@prosa/kernel/ports'
import { eraseOnUserErased } from './erase-on-user-erased.ts'
import { forgetOnContactErased } from './forget-on-contact-erased.ts'
import { contactHandlers } from './handlers.ts'
import { receiveOnMessageArrived } from './receive-on-message-arrived.ts'
import { contactRoutes } from './routes.ts'
import { tickOnLineNews } from './tick-on-line-news.ts'

/** Contacts, who they are, and their conversations. */
export const contacts: Service = {
  name: 'contacts',
  async mount(ports) {
    const handlers = contactHandlers(ports)
    return {
      routes: contactRoutes(handlers),
      reactors: [
        receiveOnMessageArrived(handlers),
        tickOnLineNews(handlers),
        forgetOnContactErased(handlers),
        eraseOnUserErased(handlers),
      ],
    }
  },
}

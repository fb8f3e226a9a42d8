import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { deliveriesRefusedMail } from './deliveries-refused-mail.ts'
import { type AdministratorNoticeDeps, mailAdministrators } from './mail-administrators.ts'

const name = 'mail-on-deliveries-refused'

/** Sales may be lost. Recorded at most hourly. */
export const mailOnDeliveriesRefused = (deps: AdministratorNoticeDeps): Reactor => ({
  name,
  categories: ['refusedDeliveries'],
  key: ({ id }) => id,
  on: {
    DeliveriesRefused: (event) =>
      mailAdministrators(deps, event, {
        name,
        about: 'refused deliveries',
        write: (mail) => deliveriesRefusedMail({ ...mail, refused: event.data, link: deps.panelLink('webhook') }),
      }),
  },
})

import { parseStream } from '@prosa/contracts/streams'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { erasedBuyerChargedMail } from './erased-buyer-charged-mail.ts'
import { type AdministratorNoticeDeps, mailAdministrators } from './mail-administrators.ts'

const name = 'mail-on-erased-buyer-charged'

export const mailOnErasedBuyerCharged = (deps: AdministratorNoticeDeps): Reactor => ({
  name,
  categories: ['order'],
  key: ({ stream }) => stream,
  on: {
    ErasedBuyerCharged: (event) =>
      mailAdministrators(deps, event, {
        name,
        about: 'a charge of an erased buyer',
        write: (mail) =>
          erasedBuyerChargedMail({
            ...mail,
            ...event.data,
            orderId: parseStream(event.stream).id,
            link: deps.panelLink('transacoes'),
          }),
      }),
  },
})

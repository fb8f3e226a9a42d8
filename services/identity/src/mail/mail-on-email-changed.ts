import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { emailChangedMail } from './email-changed-mail.ts'
import { type NoticeDeps, sendNotice } from './mail-notice.ts'

const name = 'mail-on-email-changed'

/** Mails the former address. */
export const mailOnEmailChanged = (deps: NoticeDeps): Reactor => ({
  name,
  categories: ['user'],
  key: ({ id }) => id,
  on: {
    EmailChanged: (event) =>
      sendNotice(deps, event, {
        name,
        about: 'a change of address',
        to: () => event.data.formerEmail,
        write: emailChangedMail,
      }),
  },
})

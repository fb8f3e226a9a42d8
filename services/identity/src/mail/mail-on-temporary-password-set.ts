import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { type NoticeDeps, sendNotice } from './mail-notice.ts'
import { temporaryPasswordMail } from './temporary-password-mail.ts'

const name = 'mail-on-temporary-password-set'

export const mailOnTemporaryPasswordSet = (deps: NoticeDeps): Reactor => ({
  name,
  categories: ['user'],
  key: ({ id }) => id,
  on: {
    TemporaryPasswordSet: (event) =>
      sendNotice(deps, event, {
        name,
        about: 'a temporary password',
        to: ({ email }) => email,
        write: temporaryPasswordMail,
      }),
  },
})

import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Accounts } from './accounts.ts'

const name = 'release-on-email-changed'

export const releaseOnEmailChanged = ({ emails, claimIdOf }: Accounts): Reactor => ({
  name,
  categories: ['user'],
  key: ({ stream }) => stream,
  on: {
    async EmailChanged(event) {
      const { formerEmail, formerChangeId: changeId } = event.data
      await emails(
        claimIdOf(formerEmail),
        { type: 'ReleaseEmail', data: { userId: parseStream(event.stream).id, changeId } },
        { ...contextFor(name, event), tenant: null },
      )
    },
  },
})

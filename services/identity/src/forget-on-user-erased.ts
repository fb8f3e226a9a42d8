import { userSubject } from '@prosa/contracts/events/subjects'
import { parseStream } from '@prosa/contracts/streams'
import { erasedEmail } from '@prosa/contracts/values/personal'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Ports } from '@prosa/kernel/ports'
import type { Accounts } from './accounts.ts'
import type { FollowCredential } from './end-sessions-on-credential-changed.ts'
import type { Passwords } from './passwords.ts'

const name = 'forget-on-user-erased'

type Deps = Pick<Ports, 'store' | 'codec' | 'subjectKeys'>

interface Traces {
  /** Every address that the account ever had. */
  emails: { email: string; changeId: string | null }[]
  credentialIds: string[]
}

const tracesOf = async ({ store, codec }: Deps, stream: string): Promise<Traces> => {
  const traces: Traces = { emails: [], credentialIds: [] }
  for await (const page of store.read(stream))
    for (const { type, data } of await codec.decode(page)) {
      if (type === 'UserRegistered') traces.emails.push({ email: data.email, changeId: null })
      if (type === 'EmailChanged') traces.emails.push({ email: data.email, changeId: data.changeId })
      if (type === 'UserRegistered' || type === 'PasswordChanged' || type === 'TemporaryPasswordSet')
        traces.credentialIds.push(data.credentialId)
    }
  return { ...traces, emails: traces.emails.filter(({ email }) => email !== erasedEmail) }
}

/** Destroys the key last: without it the address could not be found. Each step is idempotent. */
export const forgetOnUserErased = (
  deps: Deps,
  { emails, claimIdOf }: Pick<Accounts, 'emails' | 'claimIdOf'>,
  passwords: Passwords,
  follow: FollowCredential,
): Reactor => ({
  name,
  categories: ['user'],
  key: ({ stream }) => stream,
  on: {
    async UserErased(event) {
      const userId = parseStream(event.stream).id
      await follow(userId)
      const traces = await tracesOf(deps, event.stream)
      for (const credentialId of traces.credentialIds) await passwords.forget(credentialId)
      for (const { email, changeId } of traces.emails)
        await emails(
          claimIdOf(email),
          { type: 'ReleaseEmail', data: { userId, changeId } },
          { ...contextFor(name, event), owner: null },
        )
      await deps.subjectKeys.erase([userSubject(userId)])
    },
  },
})

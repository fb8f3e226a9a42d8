import { flowSecretSubject, pseudonymSubject, userSubject, webhookSubject } from '@prosa/contracts/events/subjects'
import { parseStream } from '@prosa/contracts/streams'
import { erasedEmail } from '@prosa/contracts/values/personal'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Reader } from '@prosa/kernel/domain/decider'
import { readFold } from '@prosa/kernel/domain/read-fold'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/kernel/ports'
import type { Passwords } from '../passwords/passwords.ts'
import type { FollowCredential } from '../sessions/end-sessions-on-credential-changed.ts'
import type { Accounts } from './accounts.ts'

const name = 'forget-on-user-erased'

type Deps = Pick<Ports, 'store' | 'codec' | 'subjectKeys' | 'refusals'>

interface Traces {
  /** Every address that the account ever had. */
  emails: readonly { email: string; changeId: string | null }[]
  credentialIds: readonly string[]
}

const withEmail = (traces: Traces, email: string, changeId: string | null): Traces =>
  email === erasedEmail ? traces : { ...traces, emails: [...traces.emails, { email, changeId }] }
const withCredential = (traces: Traces, { credentialId }: { credentialId: string }): Traces => ({
  ...traces,
  credentialIds: [...traces.credentialIds, credentialId],
})

const tracesOf: Reader<
  StoredOf<'UserRegistered' | 'EmailChanged' | 'PasswordChanged' | 'TemporaryPasswordSet'>,
  Traces
> = {
  initial: { emails: [], credentialIds: [] },
  evolve: {
    UserRegistered: (traces, data) => withCredential(withEmail(traces, data.email, null), data),
    EmailChanged: (traces, { email, changeId }) => withEmail(traces, email, changeId),
    PasswordChanged: withCredential,
    TemporaryPasswordSet: withCredential,
  },
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
      const traces = await readFold(deps, 'user', tracesOf).load(userId, event.metadata.tenant)
      for (const credentialId of traces.credentialIds) await passwords.forget(credentialId)
      for (const { email, changeId } of traces.emails)
        await emails(
          claimIdOf(email),
          { type: 'ReleaseEmail', data: { userId, changeId } },
          { ...contextFor(name, event), tenant: null },
        )
      await deps.refusals?.forget(userId)
      await deps.subjectKeys.erase([
        userSubject(userId),
        pseudonymSubject(userId),
        webhookSubject(userId),
        flowSecretSubject(userId),
      ])
    },
  },
})

import { z } from 'zod'
import { id, userId } from '../values/ids.ts'

export const identityEvents = {
  /** An e-mail address was taken for one account, before the account itself; stream `emailClaim-<hmac>`. */
  EmailClaimed: z.object({ userId }),
  /** A visitor opened an account. `credentialId` names the password's hash, which is a secret and kept outside the log. */
  UserRegistered: z.object({ firstName: z.string(), lastName: z.string(), email: z.email(), credentialId: id }),
  /** A person proved to be the user and got a browser session. */
  UserLoggedIn: z.object({}),
  /** The user ended the browser session. */
  UserLoggedOut: z.object({}),
}

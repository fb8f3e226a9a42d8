import type { User } from '@prosa/contracts/http/accounts/auth'
import { plainDate } from '../format/format.ts'
import { call } from '../http/call.ts'
import { useCommand } from '../http/use-command.ts'
import { currentUserQuery } from './current-user.ts'

/** Another release may show other texts by then: the version that the user saw is accepted. */
export const useAcceptTerms = () =>
  useCommand({
    run: (version: string) => call('POST /api/auth/accept-terms', { body: { version } }),
    done: 'Termos aceitos.',
    failed: 'Não foi possível aceitar agora.',
    rereads: [currentUserQuery.queryKey],
  })

/** '2026-11-27' → '27/11/2026' */
export const termsDay = (version: string): string => plainDate(`${version}T12:00:00`)

export const mustAcceptTerms = ({ terms: { version, accepted } }: Pick<User, 'terms'>): boolean =>
  accepted === null || accepted.version < version

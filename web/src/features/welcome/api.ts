import type { LoginBody, RegisterBody, User } from '@prosa/contracts/http/accounts/auth'
import { queryOptions } from '@tanstack/react-query'
import { becomeUser } from '../../lib/account/current-user.ts'
import { call } from '../../lib/http/call.ts'
import { ApiProblem, sentenceOf } from '../../lib/http/http.ts'
import { useCommand } from '../../lib/http/use-command.ts'

export const trialUsed = 'O período de teste deste e-mail já foi usado.'

/** The two registration screens differ (specification, 8). */
export type RegistrationWords = {
  /** `withoutTrial` replaces the description if the e-mail already had its free trial. */
  done: { title: string; description?: string; withoutTrial: string }
  failed: { title: string; fallback: string }
}

/** The cookie is set even if the user cannot be read (undefined): an error would make people register twice. */
const userAfter = async (signIn: Promise<unknown>): Promise<User | undefined> => {
  await signIn
  try {
    return await call('GET /api/auth/user')
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) throw error
  }
}

/** Unread, registration goes on, and the open account is asked. */
export const termsQuery = queryOptions({
  queryKey: ['public', 'terms'],
  queryFn: ({ signal }) => call('GET /api/terms', { signal }),
})

export const useLogin = () =>
  useCommand({
    run: (body: LoginBody) => userAfter(call('POST /api/auth/login', { body })),
    apply: (queries, user) => becomeUser(queries, user),
    done: { title: 'Sucesso!', description: 'Login realizado com sucesso.' },
    failed: (error) => ({ title: 'Erro no login', description: sentenceOf(error, 'Verifique suas credenciais.') }),
  })

export const useRegister = ({ done: { withoutTrial, ...done }, failed }: RegistrationWords) =>
  useCommand({
    run: async (body: RegisterBody) => {
      const registered = call('POST /api/auth/register', { body })
      const user = await userAfter(registered)
      return { user, hasTrial: (await registered).hasTrial }
    },
    apply: (queries, { user }) => becomeUser(queries, user),
    done: ({ hasTrial }) => (hasTrial ? done : { ...done, description: withoutTrial }),
    failed: (error) => ({ title: failed.title, description: sentenceOf(error, failed.fallback) }),
  })

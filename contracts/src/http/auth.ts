import { z } from 'zod'
import { userId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'

const email = z
  .string({ error: 'Informe seu e-mail.' })
  .trim()
  .toLowerCase()
  .max(254, 'Este e-mail é longo demais.')
  .pipe(z.email('Informe um e-mail válido.'))

const personName = (missing: string) =>
  z.string({ error: missing }).trim().min(1, missing).max(80, 'Use no máximo 80 caracteres.')

/** At least 6 (specification, 5), at most 128 so that hashing stays cheap; no rules of composition. */
const newPassword = z
  .string({ error: 'Informe uma senha.' })
  .min(6, 'A senha deve ter pelo menos 6 caracteres.')
  .max(128, 'A senha deve ter no máximo 128 caracteres.')

/** POST /api/auth/register → 201 `signedIn`, with the session's cookie. */
export const registerBody = z.object({
  firstName: personName('Informe seu nome.'),
  lastName: personName('Informe seu sobrenome.'),
  email,
  password: newPassword,
})

/** POST /api/auth/login → 200 `signedIn`, with the session's cookie. POST /api/auth/logout → 200 `signedOut`. */
export const loginBody = z.object({
  email,
  password: z
    .string({ error: 'Informe sua senha.' })
    .min(1, 'Informe sua senha.')
    .max(128, 'E-mail ou senha incorretos.'),
})

export const signedIn = z.object({ id: userId })
export const signedOut = z.object({ signedOut: z.literal(true) })

/** GET /api/auth/user → 200 `user`, or 401. */
export const user = z.object({
  id: userId,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  profileImageUrl: z.string().nullable(),
  createdAt: instant,
  subscriptionStatus: z.enum(['active', 'expired', 'cancelled']),
  subscriptionEnd: instant.nullable(),
})

export type RegisterBody = z.infer<typeof registerBody>
export type LoginBody = z.infer<typeof loginBody>
export type User = z.infer<typeof user>

import { z } from 'zod'
import { userId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { minimumPasswordLength } from '../values/lengths.ts'
import { isObviousPassword, obviousPassword } from '../values/obvious-password.ts'
import { role } from '../values/role.ts'

const email = z
  .string({ error: 'Informe seu e-mail.' })
  .trim()
  .toLowerCase()
  .max(254, 'Este e-mail é longo demais.')
  .pipe(z.email('Informe um e-mail válido.'))

const personName = (missing: string) =>
  z.string({ error: missing }).trim().min(1, missing).max(80, 'Use no máximo 80 caracteres.')

/** At least 6 (specification, 5), at most 128 so that hashing stays cheap; no rules of composition, but nothing obvious. */
const newPassword = z
  .string({ error: 'Informe uma senha.' })
  .min(minimumPasswordLength, { error: 'A senha deve ter pelo menos 6 caracteres.', abort: true })
  .max(128, 'A senha deve ter no máximo 128 caracteres.')
  .refine((password) => !isObviousPassword(password), { error: obviousPassword, abort: true })

/** Proves that whoever asks is the user, and not somebody who found an open browser. */
const currentPassword = z
  .string({ error: 'Informe sua senha atual.' })
  .min(1, 'Informe sua senha atual.')
  .max(128, 'A senha atual não confere.')

/** For bodies that name everything that may be changed: a field too many refuses the request. */
const nothingElse = {
  error: ({ code }: { code?: string }) =>
    code === 'unrecognized_keys' ? 'Há campos que não podem ser alterados aqui.' : undefined,
}

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

/** POST /api/auth/forgot-password → 200 `resetAsked`, the same whether or not there is such an account. */
export const forgotPasswordBody = z.strictObject({ email }, nothingElse)

/** `resetLink` is there only outside production, where no mail goes out. */
export const resetAsked = z.object({ message: z.string(), resetLink: z.url().optional() })

/** POST /api/auth/reset-password → 200 `passwordSet`; nobody is signed in by it. */
export const resetPasswordBody = z.strictObject(
  {
    token: z
      .string({ error: 'Link de redefinição de senha inválido.' })
      .min(1, 'Link de redefinição de senha inválido.')
      .max(200, 'Link de redefinição de senha inválido.'),
    password: newPassword,
  },
  nothingElse,
)

/** PUT /api/auth/password → 200 `passwordSet`; the user's other browser sessions end. */
export const changePasswordBody = z.strictObject(
  {
    currentPassword,
    newPassword,
  },
  nothingElse,
)

export const passwordSet = z.object({ passwordSet: z.literal(true) })

/**
 * POST /api/auth/erase-account → 200 `accountErased`: the account is gone for good, with its contacts, connections and
 * files.
 */
export const eraseAccountBody = z.strictObject(
  {
    password: currentPassword,
  },
  nothingElse,
)

export const accountErased = z.object({ erased: z.literal(true) })

/** PUT /api/auth/user → 200 `profileSaved`. An address that is another than before needs the password. */
export const profileBody = z.strictObject(
  {
    firstName: personName('Informe seu nome.'),
    lastName: personName('Informe seu sobrenome.'),
    email,
    currentPassword: currentPassword.optional(),
  },
  nothingElse,
)

export const profileSaved = z.object({ id: userId })

/** GET /api/auth/user → 200 `user`, or 401. */
export const user = z.object({
  id: userId,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  profileImageUrl: z.string().nullable(),
  createdAt: instant,
  roles: z.array(role),
  subscriptionStatus: z.enum(['active', 'expired', 'cancelled']),
  subscriptionEnd: instant.nullable(),
})

export type RegisterBody = z.infer<typeof registerBody>
export type LoginBody = z.infer<typeof loginBody>
export type User = z.infer<typeof user>
export type ForgotPasswordBody = z.infer<typeof forgotPasswordBody>
export type ResetAsked = z.infer<typeof resetAsked>
export type ResetPasswordBody = z.infer<typeof resetPasswordBody>
export type ChangePasswordBody = z.infer<typeof changePasswordBody>
export type EraseAccountBody = z.infer<typeof eraseAccountBody>
export type ProfileBody = z.infer<typeof profileBody>

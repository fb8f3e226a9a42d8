import { z } from 'zod'
import { erasureReasons } from '../../values/erasure-reason.ts'
import { userId } from '../../values/ids.ts'
import { instant } from '../../values/instant.ts'
import { subscriptionStatus } from '../../values/kiwify.ts'
import { minimumPasswordLength } from '../../values/lengths.ts'
import { role } from '../../values/role.ts'
import { termsVersion } from '../../values/terms.ts'
import { isObviousPassword, obviousPassword } from '../../values/text/obvious-password.ts'
import { visibleName } from '../../values/text/visible-name.ts'
import { endpoint } from '../endpoint.ts'
import { notKnownYet } from '../not-known-yet.ts'
import { companyChoices } from './company.ts'

const email = z
  .string({ error: 'Informe seu e-mail.' })
  .trim()
  .toLowerCase()
  .max(254, 'Este e-mail é longo demais.')
  .pipe(z.email('Informe um e-mail válido.'))

const personName = (missing: string) =>
  z
    .string({ error: missing })
    .transform(visibleName)
    .pipe(z.string().min(1, missing).max(80, 'Use no máximo 80 caracteres.'))

/** At most 128, so that hashing stays cheap (specification, 5). */
const newPassword = z
  .string({ error: 'Informe uma senha.' })
  .min(minimumPasswordLength, { error: 'A senha deve ter pelo menos 6 caracteres.', abort: true })
  .max(128, 'A senha deve ter no máximo 128 caracteres.')
  .refine((password) => !isObviousPassword(password), { error: obviousPassword, abort: true })

const currentPassword = z
  .string({ error: 'Informe sua senha atual.' })
  .min(1, 'Informe sua senha atual.')
  .max(128, 'A senha atual não confere.')

const nothingElse = {
  error: ({ code }: { code?: string }) =>
    code === 'unrecognized_keys' ? 'Há campos que não podem ser alterados aqui.' : undefined,
}

export const registerBody = z.object({
  firstName: personName('Informe seu nome.'),
  lastName: personName('Informe seu sobrenome.'),
  email,
  password: newPassword,
  /** The version that the screen showed. Without it the account is asked once it is open. */
  acceptedTerms: termsVersion.optional(),
})

export const loginBody = z.object({
  email,
  password: z
    .string({ error: 'Informe sua senha.' })
    .min(1, 'Informe sua senha.')
    .max(128, 'E-mail ou senha incorretos.'),
})

export const signedIn = z.object({ id: userId })
/** Each address has one trial. */
export const registered = signedIn.extend({ hasTrial: z.boolean() })
export const signedOut = z.object({ signedOut: z.literal(true) })

export const forgotPasswordBody = z.strictObject({ email }, nothingElse)

/** Only outside production, where no mail is sent. */
export const resetAsked = z.object({ message: z.string(), resetLink: z.url().optional() })

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

export const confirmEmailBody = z.strictObject(
  {
    token: z
      .string({ error: 'Link de confirmação inválido.' })
      .min(1, 'Link de confirmação inválido.')
      .max(500, 'Link de confirmação inválido.'),
  },
  nothingElse,
)

export const emailConfirmed = z.object({ emailConfirmed: z.literal(true) })

/** Only outside production, where no mail is sent. */
export const confirmationSent = z.object({ message: z.string(), confirmationLink: z.url().optional() })

export const changePasswordBody = z.strictObject(
  {
    currentPassword,
    newPassword,
  },
  nothingElse,
)

export const acceptTermsBody = z.strictObject({ version: termsVersion }, nothingElse)

export const termsAccepted = z.object({ version: termsVersion })

export const passwordSet = z.object({ passwordSet: z.literal(true) })

export const eraseAccountBody = z.strictObject(
  {
    password: currentPassword,
    reason: z.enum(erasureReasons, { error: 'Escolha um motivo da lista.' }).optional(),
  },
  nothingElse,
)

export const accountErased = z.object({ erased: z.literal(true) })

/** A new address requires the password. */
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

export const user = z.object({
  id: userId,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  isEmailConfirmed: z.boolean(),
  /** A temporary password: only changing it is allowed. */
  mustChangePassword: z.boolean(),
  profileImageUrl: z.string().nullable(),
  company: companyChoices.extend({ name: z.string().nullable() }),
  createdAt: instant,
  roles: z.array(role),
  subscriptionStatus,
  subscriptionEnd: instant.nullable(),
  isTrial: notKnownYet(z.boolean()),
  terms: z.object({
    /** Of the texts of today. */
    version: termsVersion,
    /** The latest that the user accepted; null: none yet. */
    accepted: z.object({ version: termsVersion, at: instant }).nullable(),
  }),
})

export const authEndpoints = {
  register: endpoint({
    service: 'identity',
    method: 'POST',
    path: '/api/auth/register',
    area: 'Conta',
    open: true,
    summary: 'Cria uma conta e entra nela.',
    body: registerBody,
    replies: { 201: registered },
  }),
  login: endpoint({
    service: 'identity',
    method: 'POST',
    path: '/api/auth/login',
    area: 'Conta',
    open: true,
    summary: 'Entra na conta.',
    body: loginBody,
    replies: { 200: signedIn },
  }),
  logout: endpoint({
    service: 'identity',
    method: 'POST',
    path: '/api/auth/logout',
    area: 'Conta',
    isBeyondBudgets: true,
    open: true,
    summary: 'Sai da conta neste navegador.',
    replies: { 200: signedOut },
  }),
  /** Does not reveal accounts. */
  forgotPassword: endpoint({
    service: 'identity',
    method: 'POST',
    path: '/api/auth/forgot-password',
    area: 'Conta',
    open: true,
    summary: 'Pede um link de redefinição de senha; a resposta é a mesma se não houver conta.',
    body: forgotPasswordBody,
    replies: { 200: resetAsked },
  }),
  resetPassword: endpoint({
    service: 'identity',
    method: 'POST',
    path: '/api/auth/reset-password',
    area: 'Conta',
    open: true,
    summary: 'Define uma nova senha com o link recebido.',
    body: resetPasswordBody,
    replies: { 200: passwordSet },
  }),
  /** For the screen of registration, before there is an account. */
  terms: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/terms',
    area: 'Conta',
    open: true,
    summary:
      'A versão dos termos de uso e da política de privacidade que valem hoje; os textos estão em /terms e /privacy.',
    replies: { 200: z.object({ version: termsVersion }) },
  }),
  acceptTerms: endpoint({
    service: 'identity',
    method: 'POST',
    path: '/api/auth/accept-terms',
    area: 'Conta',
    alsoForAnalysts: true,
    isBeyondBudgets: true,
    summary: 'Aceita os termos de uso e a política de privacidade.',
    body: acceptTermsBody,
    replies: { 200: termsAccepted },
  }),
  /** May be opened on another device. Idempotent. */
  confirmEmail: endpoint({
    service: 'identity',
    method: 'POST',
    path: '/api/auth/confirm-email',
    area: 'Conta',
    open: true,
    summary: 'Confirma o e-mail da conta com o link recebido.',
    body: confirmEmailBody,
    replies: { 200: emailConfirmed },
  }),
  sendConfirmation: endpoint({
    service: 'identity',
    method: 'POST',
    path: '/api/auth/send-confirmation',
    area: 'Conta',
    alsoForAnalysts: true,
    isBeyondBudgets: true,
    summary: 'Envia o link que confirma o e-mail da conta.',
    replies: { 200: confirmationSent },
  }),
  /** Ends other browser sessions. */
  changePassword: endpoint({
    service: 'identity',
    method: 'PUT',
    path: '/api/auth/password',
    area: 'Conta',
    alsoForAnalysts: true,
    isBeyondBudgets: true,
    alsoWithTemporaryPassword: true,
    summary: 'Troca a senha e sai da conta nos outros navegadores.',
    body: changePasswordBody,
    replies: { 200: passwordSet },
  }),
  /** With contacts, connections and files. */
  eraseAccount: endpoint({
    service: 'identity',
    method: 'POST',
    path: '/api/auth/erase-account',
    area: 'Conta',
    alsoForAnalysts: true,
    isBeyondBudgets: true,
    summary: 'Apaga a conta e tudo o que é pessoal nela, para sempre. Pede a senha.',
    body: eraseAccountBody,
    replies: { 200: accountErased },
  }),
  user: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/auth/user',
    area: 'Conta',
    alsoForAnalysts: true,
    alsoWithTemporaryPassword: true,
    summary: 'Quem está na conta, e até quando vale a assinatura.',
    replies: { 200: user },
  }),
  saveProfile: endpoint({
    service: 'identity',
    method: 'PUT',
    path: '/api/auth/user',
    area: 'Conta',
    alsoForAnalysts: true,
    summary: 'Altera nome, sobrenome e e-mail.',
    body: profileBody,
    replies: { 200: profileSaved },
  }),
}

export type RegisterBody = z.infer<typeof registerBody>
export type LoginBody = z.infer<typeof loginBody>
export type User = z.infer<typeof user>
export type ForgotPasswordBody = z.infer<typeof forgotPasswordBody>
export type ResetAsked = z.infer<typeof resetAsked>
export type ResetPasswordBody = z.infer<typeof resetPasswordBody>
export type ConfirmEmailBody = z.infer<typeof confirmEmailBody>
export type ChangePasswordBody = z.infer<typeof changePasswordBody>
export type EraseAccountBody = z.infer<typeof eraseAccountBody>
export type ProfileBody = z.infer<typeof profileBody>

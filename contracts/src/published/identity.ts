import type {
  companyEvents,
  emailClaimEvents,
  passwordResetEvents,
  supportRequestEvents,
  userEvents,
} from '../events/identity.ts'
import { erasureReasons } from '../values/erasure-reason.ts'
import { supportPriorities } from '../values/support.ts'
import { idField, oneOf, personalText, plainText, time, yesNo } from './field.ts'
import { leftOut, type Publications, published } from './publication.ts'

const secrets = 'is about passwords and links to an account, of use only to whoever attacks it'
const claim = 'says which account has an e-mail address; its stream is named by a keyed hash of the address'

export const publishedEmailClaims: Publications<typeof emailClaimEvents> = {
  EmailClaimed: leftOut(claim),
  EmailReleased: leftOut(claim),
}

export const publishedPasswordResets: Publications<typeof passwordResetEvents> = {
  PasswordResetRequested: leftOut(secrets),
  PasswordResetCompleted: leftOut(secrets),
}

const isTrialUsed = yesNo('O endereço já teve um teste em outra conta.')
const person = {
  firstName: personalText('Nome.', 'Ana').optional(),
  lastName: personalText('Sobrenome.', 'Lima').optional(),
}
const email = personalText('E-mail.', 'ana@example.com').optional()
const role = oneOf(['admin', 'analyst'], 'O papel.')

export const publishedUsers: Publications<typeof userEvents> = {
  UserRegistered: published<'UserRegistered'>()(
    'account-registered',
    'Uma pessoa abriu uma conta: uma empresa nova.',
    { isTrialUsed, ...person, email },
    { of: ({ isTrialUsed = false }) => ({ isTrialUsed }) },
  ),
  UserLoggedIn: published<'UserLoggedIn'>()('account-signed-in', 'A pessoa entrou na conta.'),
  UserLoggedOut: published<'UserLoggedOut'>()('account-signed-out', 'A pessoa saiu da conta.'),
  TermsAccepted: published<'TermsAccepted'>()(
    'terms-accepted',
    'A pessoa aceitou os termos de uso e a política de privacidade.',
    { version: plainText('O dia da versão aceita.', '2026-11-27') },
  ),
  UserRenamed: published<'UserRenamed'>()('account-renamed', 'A pessoa mudou de nome.', person),
  EmailChanged: published<'EmailChanged'>()('account-email-changed', 'A pessoa mudou o e-mail da conta.', { email }),
  EmailConfirmationDemanded: published<'EmailConfirmationDemanded'>()(
    'email-confirmation-demanded',
    'O e-mail precisa ser confirmado; sem isso nada mais é enviado.',
    { until: time('Até quando pode enviar.') },
  ),
  EmailConfirmationRequested: published<'EmailConfirmationRequested'>()(
    'email-confirmation-requested',
    'A pessoa pediu um link de confirmação.',
  ),
  EmailConfirmed: published<'EmailConfirmed'>()('email-confirmed', 'O e-mail foi confirmado.'),
  PasswordChanged: leftOut(secrets),
  TemporaryPasswordSet: leftOut(secrets),
  ProfilePhotoChanged: published<'ProfilePhotoChanged'>()('profile-photo-changed', 'A pessoa pôs uma foto.'),
  ProfilePhotoRemoved: published<'ProfilePhotoRemoved'>()('profile-photo-removed', 'A pessoa tirou a foto.'),
  UserErased: published<'UserErased'>()(
    'account-erased',
    'A conta foi apagada com tudo o que tinha. Apague o que guardou desta empresa.',
    { reason: oneOf(erasureReasons, 'Por quê; ausente: por quem administra, ou antes de perguntarmos.').optional() },
    { of: ({ why }) => ({ reason: why }) },
  ),
  RoleGranted: published<'RoleGranted'>()('role-granted', 'A conta recebeu um papel no Prosa.', { role }),
  RoleRevoked: published<'RoleRevoked'>()('role-revoked', 'A conta perdeu um papel no Prosa.', { role }),
}

export const publishedCompanies: Publications<typeof companyEvents> = {
  CompanyDescribed: published<'CompanyDescribed'>()('company-described', 'A empresa foi descrita, inteira.', {
    name: personalText('Nome.', 'Mercado Lua').optional(),
    email: personalText('E-mail; vazio: não se sabe.', 'lua@example.com').optional(),
    phone: personalText('Telefone; vazio: não se sabe.', '(11) 3333-4444').optional(),
    website: personalText('Site; vazio: não se sabe.', 'https://example.com').optional(),
    address: personalText('Endereço; vazio: não se sabe.', 'Rua A, 1').optional(),
  }),
  CompanyChoicesMade: published<'CompanyChoicesMade'>()('company-choices-made', 'A empresa escolheu padrões.', {
    notifications: yesNo('Notificações.'),
    analytics: yesNo('Estatísticas.'),
  }),
}

const requestId = idField('supportRequest', 'O pedido.')

export const publishedSupportRequests: Publications<typeof supportRequestEvents> = {
  SupportRequested: published<'SupportRequested'>()('support-requested', 'Alguém escreveu ao suporte.', {
    requestId,
    priority: oneOf(supportPriorities, 'A prioridade.'),
    subject: personalText('Assunto.', 'Não consigo conectar').optional(),
    message: personalText('Texto.', 'O código não aparece.').optional(),
  }),
  SupportRequestAnswered: published<'SupportRequestAnswered'>()(
    'support-request-answered',
    'O pedido foi respondido.',
    {
      requestId,
    },
  ),
}

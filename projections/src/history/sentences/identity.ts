import type { identityEvents } from '@prosa/contracts/events/identity'
import { parseStream } from '@prosa/contracts/streams'
import { erasureReasonNames } from '@prosa/contracts/values/erasure-reason'
import { erasedText } from '@prosa/contracts/values/personal'
import { always, type Sentences } from './sentence.ts'
import { dayOf, quoted, roleNames } from './words.ts'

const onOrOff = (isOn: boolean) => (isOn ? 'ligadas' : 'desligadas')

const own = ({ stream }: { stream: string }) => parseStream(stream).id

export const identitySentences: Sentences<keyof typeof identityEvents> = {
  EmailClaimed: ({ data: { userId } }, names) => ({
    text: `Um endereço de e-mail foi reservado para ${names.user(userId)}`,
    icon: 'account',
  }),
  EmailReleased: ({ data: { userId } }, names) => ({
    text: `O endereço de e-mail que era de ${names.user(userId)} ficou livre`,
    icon: 'account',
  }),
  PasswordResetRequested: ({ data: { expiresAt } }) => ({
    text: `Foi pedido um link para criar uma nova senha, válido até ${dayOf(expiresAt)}`,
    icon: 'security',
  }),
  PasswordResetCompleted: always('security', 'O link para criar uma nova senha foi usado'),
  UserRegistered: ({ data: { firstName, lastName, email } }) => ({
    text:
      firstName === erasedText
        ? `${erasedText} abriu uma conta`
        : `${firstName} ${lastName} abriu uma conta com o e-mail ${email}`,
    icon: 'account',
  }),
  UserLoggedIn: (event, names) => ({ text: `${names.user(own(event))} entrou`, icon: 'security' }),
  UserLoggedOut: (event, names) => ({ text: `${names.user(own(event))} saiu`, icon: 'security' }),
  TermsAccepted: ({ data: { version } }, { actor }) => ({
    text: `${actor} aceitou os termos de uso e a política de privacidade de ${version.split('-').reverse().join('/')}`,
    icon: 'account',
  }),
  UserRenamed: ({ data: { firstName, lastName } }, { actor }) => ({
    text: `${actor} mudou o nome da conta para ${quoted(`${firstName} ${lastName}`)}`,
    icon: 'account',
  }),
  EmailChanged: ({ data: { email, formerEmail } }, { actor }) => ({
    text: `${actor} mudou o e-mail da conta`,
    icon: 'account',
    differences: [{ label: 'E-mail', before: formerEmail, after: email }],
  }),
  EmailConfirmationDemanded: ({ data: { until } }) => ({
    text: `A partir de ${dayOf(until)}, a conta só envia mensagens com o e-mail confirmado`,
    icon: 'account',
  }),
  EmailConfirmationRequested: ({ data: { delivery } }, { actor }) => ({
    text: `${actor} pediu um link para confirmar o e-mail${delivery === 'mail' ? '' : ', que apareceu na tela'}`,
    icon: 'account',
  }),
  EmailConfirmed: (event, names) => ({
    text: event.data.elsewhere
      ? `O e-mail de ${names.user(own(event))} foi confirmado com o link, em um aparelho fora da conta`
      : `${names.user(own(event))} confirmou o endereço de e-mail`,
    icon: 'account',
  }),
  PasswordChanged: (_, { actor }) => ({
    text: `${actor} mudou a senha, e as outras sessões foram encerradas`,
    icon: 'security',
  }),
  TemporaryPasswordSet: (event, names) => ({
    text: `${names.actor} definiu uma senha provisória para ${names.user(own(event))}, e todas as sessões foram encerradas`,
    icon: 'security',
  }),
  UserErased: ({ data: { why } }, { actor }) => ({
    text: `${actor} apagou a conta e os dados pessoais dela${why === undefined ? '' : ` (motivo: ${erasureReasonNames[why].toLowerCase()})`}`,
    icon: 'erased',
  }),
  CompanyDescribed: ({ data: { name } }, { actor }) => ({
    text: `${actor} escreveu os dados da empresa ${quoted(name)}`,
    icon: 'account',
  }),
  CompanyChoicesMade: ({ data: { notifications, analytics } }, { actor }) => ({
    text: `${actor} escolheu: notificações ${onOrOff(notifications)}, estatísticas ${onOrOff(analytics)}`,
    icon: 'account',
  }),
  ProfilePhotoChanged: (_, { actor }) => ({ text: `${actor} trocou a foto da conta`, icon: 'account' }),
  ProfilePhotoRemoved: (_, { actor }) => ({ text: `${actor} removeu a foto da conta`, icon: 'account' }),
  SupportRequested: ({ data: { subject } }, { actor }) => ({
    text: `${actor} escreveu ao suporte sobre ${quoted(subject)}`,
    icon: 'account',
  }),
  SupportRequestAnswered: (_, { actor }) => ({
    text: `${actor} marcou a mensagem ao suporte como respondida`,
    icon: 'account',
  }),
  RoleGranted: (event, names) => ({
    text: `${names.user(own(event))} recebeu os direitos de ${roleNames[event.data.role]}`,
    icon: 'security',
  }),
  RoleRevoked: (event, names) => ({
    text: `${names.user(own(event))} perdeu os direitos de ${roleNames[event.data.role]}`,
    icon: 'security',
  }),
}

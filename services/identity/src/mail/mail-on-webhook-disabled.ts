import type { WebhookDisabledCause } from '@prosa/contracts/values/webhook'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { escaped, htmlMail } from './html-mail.ts'
import { type NoticeDeps, sendNotice } from './mail-notice.ts'
import type { Mail } from './mailer.ts'

const name = 'mail-on-webhook-disabled'

interface WebhookDisabledMailFacts {
  to: string
  messageId: string
  cause: WebhookDisabledCause
  link: string
}

const causes: Record<WebhookDisabledCause, string> = {
  failing: 'Por um dia inteiro o endereço não aceitou nenhuma entrega.',
  gone: 'O endereço respondeu que não existe mais (410).',
  backlog: 'Mais de 50.000 entregas esperavam a sua vez.',
}

/** Names neither webhook nor address: mails are no place for them. */
const webhookDisabledMail = ({ to, messageId, cause, link }: WebhookDisabledMailFacts): Mail => {
  const paragraphs = [
    'Olá.',
    `O Prosa desativou um webhook da sua conta. ${causes[cause]}`,
    'O que acontecer daqui em diante não é enviado a ele. As entregas que esperavam ficam no registro por 30 dias e podem ser repetidas.',
    'O que fazer: confira o endereço, religue o webhook e repita as entregas que falharam.',
    `Webhooks da conta: ${link}`,
  ]
  return {
    to,
    subject: 'Um webhook da sua conta no Prosa foi desativado',
    messageId,
    text: paragraphs.join('\n\n'),
    html: htmlMail(paragraphs.map(escaped)),
  }
}

export const mailOnWebhookDisabled = ({ link, ...deps }: NoticeDeps & { link: () => string }): Reactor => ({
  name,
  categories: ['webhook'],
  key: ({ id }) => id,
  on: {
    WebhookDisabled: (event) =>
      sendNotice(deps, event, {
        name,
        about: 'a disabled webhook',
        to: ({ email }) => email,
        write: (mail) => webhookDisabledMail({ ...mail, cause: event.data.cause, link: link() }),
      }),
  },
})

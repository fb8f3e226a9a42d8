import { type SupportPriority, supportPriorityNames } from '@prosa/contracts/values/support'
import { escaped, htmlMail } from './html-mail.ts'
import type { Mail } from './mailer.ts'

export interface SupportMailFacts {
  /** Support staff. */
  to: string
  /** Answers go to this address. */
  from: { name: string; email: string; isEmailConfirmed: boolean }
  subject: string
  message: string
  priority: SupportPriority
  messageId: string
}

export const supportMail = ({ to, from, subject, message, priority, messageId }: SupportMailFacts): Mail => {
  const about = `${from.name} (${from.email}) escreveu ao suporte. Prioridade: ${supportPriorityNames[priority]}.`
  const unproved = from.isEmailConfirmed ? [] : ['Atenção: esta conta ainda não confirmou que o e-mail é dela.']
  const hint = 'Responda a este e-mail para escrever a quem pediu ajuda.'
  return {
    to,
    replyTo: from.email,
    // Collapses line breaks in untrusted input.
    subject: `[Suporte · ${supportPriorityNames[priority]}] ${subject.replace(/\s+/g, ' ')}`,
    messageId,
    text: [about, ...unproved, subject, message, hint].join('\n\n'),
    html: htmlMail([
      ...[about, ...unproved].map(escaped),
      `<strong>${escaped(subject)}</strong>`,
      escaped(message).replaceAll('\n', '<br>'),
      escaped(hint),
    ]),
  }
}

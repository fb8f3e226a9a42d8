import { escaped, htmlMail } from './html-mail.ts'
import type { Mail } from './mailer.ts'

export interface TemporaryPasswordMailFacts {
  to: string
  messageId: string
}

/** Never contains the password. */
export const temporaryPasswordMail = ({ to, messageId }: TemporaryPasswordMailFacts): Mail => {
  const paragraphs = [
    'Olá.',
    'Quem administra o Prosa definiu uma senha provisória para a sua conta, e você saiu dela em todos os aparelhos.',
    'A senha não vai por e-mail: peça a quem a definiu. Ao entrar com ela, você escolhe uma nova senha, só sua.',
    'Se você não pediu isso, abra “Esqueci minha senha” na tela de entrada e escolha outra senha agora.',
  ]
  return {
    to,
    subject: 'Sua senha do Prosa foi trocada',
    messageId,
    text: paragraphs.join('\n\n'),
    html: htmlMail(paragraphs.map(escaped)),
  }
}

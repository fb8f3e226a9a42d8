import type { Mail } from './mailer.ts'

export interface ResetMailFacts {
  to: string
  firstName: string
  link: string
  /** How long the link holds. */
  minutes: number
  messageId: string
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => escapes[letter] ?? letter)

/** The mail with the link to set a new password. */
export const resetMail = ({ to, firstName, link, minutes, messageId }: ResetMailFacts): Mail => {
  const greeting = `Olá, ${firstName}.`
  const why = 'Recebemos um pedido para redefinir a senha da sua conta no Prosa. Para escolher uma nova senha, abra:'
  const limits = `O link vale por ${minutes} minutos e funciona uma vez. Um pedido mais novo invalida este.`
  const otherwise = 'Se não foi você, não é preciso fazer nada: sua senha continua a mesma.'
  return {
    to,
    subject: 'Redefina sua senha do Prosa',
    messageId,
    text: [greeting, why, link, limits, otherwise].join('\n\n'),
    html: `<!doctype html>
<html lang="pt-BR">
<body style="margin: 0; padding: 24px; font: 16px/24px Arial, sans-serif; color: #1e211f; background: #ffffff">
<p>${escaped(greeting)}</p>
<p>${escaped(why)}</p>
<p><a href="${escaped(link)}" style="color: #0b6b57">Redefinir minha senha</a></p>
<p>${escaped(limits)}</p>
<p>${escaped(otherwise)}</p>
</body>
</html>
`,
  }
}

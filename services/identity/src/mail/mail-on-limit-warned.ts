import type { Instant } from '@prosa/contracts/values/instant'
import { type WarnedPercent, whatCounts } from '@prosa/contracts/values/plan'
import { saoPauloMonth } from '@prosa/contracts/values/time/sao-paulo'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { escaped, htmlMail } from './html-mail.ts'
import { type NoticeDeps, sendNotice } from './mail-notice.ts'
import type { Mail } from './mailer.ts'

const name = 'mail-on-limit-warned'

const day = new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo', day: 'numeric', month: 'long' })
const number = new Intl.NumberFormat('pt-BR')

interface LimitWarnedMailFacts {
  to: string
  messageId: string
  percent: WarnedPercent
  used: number
  limit: number
  periodStart: Instant
  link: string
}

const subjects: Record<WarnedPercent, string> = {
  80: 'Você já enviou 80% das mensagens do mês no Prosa',
  100: 'As mensagens do mês no Prosa acabaram',
}

const limitWarnedMail = ({ to, messageId, percent, used, limit, periodStart, link }: LimitWarnedMailFacts): Mail => {
  const next = day.format(Date.parse(saoPauloMonth(periodStart).until))
  const paragraphs = [
    'Olá.',
    `Sua conta enviou ${number.format(used)} das ${number.format(limit)} mensagens deste mês.`,
    percent === 100
      ? `Nada mais é enviado até ${next}, quando a contagem recomeça. O que seus clientes escrevem continua chegando.`
      : `Quando chegarem a ${number.format(limit)}, nada mais é enviado até ${next}, quando a contagem recomeça. O que seus clientes escrevem continua chegando.`,
    whatCounts.messages,
    `Seu plano, e os maiores: ${link}`,
  ]
  return {
    to,
    subject: subjects[percent],
    messageId,
    text: paragraphs.join('\n\n'),
    html: htmlMail(paragraphs.map(escaped)),
  }
}

export const mailOnLimitWarned = ({ link, ...deps }: NoticeDeps & { link: () => string }): Reactor => ({
  name,
  categories: ['subscription'],
  key: ({ id }) => id,
  on: {
    LimitWarned: (event) =>
      sendNotice(deps, event, {
        name,
        about: 'a limit',
        to: ({ email }) => email,
        write: (mail) => limitWarnedMail({ ...mail, ...event.data, link: link() }),
      }),
  },
})

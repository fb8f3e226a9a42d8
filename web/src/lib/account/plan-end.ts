import type { Usage } from '@prosa/contracts/http/accounts/usage'
import { count, dateAndTime, plural } from '../format/format.ts'

const dayMs = 86_400_000

/** Begun days, 0 when it is over. The only count of days left: every screen shows this one. `nowMs` since 1970. */
export const daysLeft = (end: string | null, nowMs: number): number =>
  end === null ? 0 : Math.max(0, Math.ceil((Date.parse(end) - nowMs) / dayMs))

/** 'último dia', 'faltam 12 dias'; undefined when it is over. */
export const daysLeftWords = (end: string | null, nowMs: number): string | undefined => {
  const days = daysLeft(end, nowMs)
  if (days === 0) return undefined
  return days === 1 ? 'último dia' : `faltam ${days} dias`
}

/** '100 mensagens por mês e 1 conexão' */
export const limitWords = ({ messages, connections }: Usage['limitsAfterEnd']): string =>
  `${messages === null ? 'mensagens' : `${count(messages)} mensagens por mês`} e ${connections === null ? 'conexões sem limite' : plural(connections, 'conexão', 'conexões')}`

/** What comes when the period is over, in order; undefined where nothing ends or all has ended. */
export const whatEnds = (
  { access, afterEnd, endsAt, graceEndsAt, limitsAfterEnd }: Usage,
  nowMs: number,
): string | undefined => {
  if (afterEnd === 'unchanged' || access === 'ended' || endsAt === null || graceEndsAt === null) return undefined
  if (Date.parse(graceEndsAt) <= nowMs) return undefined
  const then =
    afterEnd === 'ended'
      ? 'nada mais é enviado até você escolher um plano'
      : `vale o plano gratuito: ${limitWords(limitsAfterEnd)}`
  const until = dateAndTime(graceEndsAt, nowMs)
  if (endsAt === graceEndsAt) return `Depois de ${until}, ${then}.`
  const grace =
    access === 'grace'
      ? `Até ${until} ainda valem os limites do plano que terminou.`
      : `Se não houver renovação, os mesmos limites valem até ${until}.`
  return `${grace} Depois, ${then}. O que seus clientes escrevem continua chegando.`
}

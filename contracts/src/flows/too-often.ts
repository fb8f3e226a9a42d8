import { durationWords } from './node-name.ts'

/** '10 fluxos começaram em 10 minutos'. */
export const tooOften = ({
  reason,
  count,
  withinSeconds,
}: {
  reason: 'starts' | 'messages'
  count: number
  withinSeconds: number
}): string => {
  const within = `em ${durationWords(withinSeconds)}`
  if (reason === 'starts') return count === 1 ? `1 fluxo começou ${within}` : `${count} fluxos começaram ${within}`
  return count === 1 ? `1 mensagem dos fluxos ${within}` : `${count} mensagens dos fluxos ${within}`
}

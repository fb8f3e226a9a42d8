import { instant } from '@prosa/contracts/values/instant'
import type { Position } from '@prosa/kernel/event-store/port'
import { logTimes } from '@prosa/kernel/event-store/times/log-times'
import { refuse } from '@prosa/kernel/http/problem'
import type { PositionTokens } from '@prosa/kernel/http/reading/position-tokens'
import type { Ports } from '@prosa/kernel/ports'

const refused = (message: string) => refuse('invalid_request', [{ field: 'em', message }])

/** The position of the log that `em` names: a token of this reader, or an instant. Refuses the future and what is neither. */
export const momentAsked = async (
  ports: Pick<Ports, 'store' | 'pool' | 'clock'>,
  tokens: PositionTokens,
  reader: string,
  em: string,
): Promise<Position> => {
  if (!instant.safeParse(em).success) {
    const position = em.includes(',') ? undefined : tokens.latestOf(reader, em)
    if (position === undefined) throw refused('Este momento não existe. Escolha outro na linha do tempo.')
    return position
  }
  if (em > ports.clock.now()) throw refused('Este momento ainda não chegou. Escolha um que já passou.')
  return logTimes(ports).positionAt(em)
}

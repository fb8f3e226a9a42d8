import type { Position } from '@prosa/kernel/event-store/port'
import type { PositionTokens } from '@prosa/kernel/http/reading/position-tokens'
import type { Ports } from '@prosa/kernel/ports'
import { momentAsked } from '../../moments/moment.ts'
import { requireReached } from '../../moments/reading-then.ts'
import { contactVersions } from './projection.ts'

/** The position that `em` names, once the versions have reached it. */
export const momentsShown =
  (ports: Pick<Ports, 'store' | 'pool' | 'clock' | 'readModels'>, tokens: PositionTokens) =>
  async (reader: string, em: string): Promise<Position> => {
    const moment = await momentAsked(ports, tokens, reader, em)
    await requireReached(ports, contactVersions.name, moment)
    return moment
  }

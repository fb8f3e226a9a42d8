import { z } from 'zod'

/** Longer ones are no token. */
const maxLength = 130

/** Of the past: a position token of one's own, or an instant. */
export const moment = z
  .string({ error: 'Escolha um só momento.' })
  .min(1, 'Escolha um momento.')
  .max(maxLength, 'Este momento não existe. Escolha outro na linha do tempo.')

/** Of a GET that shows the present, or with `em` what it would have shown then. */
export const ofMoment = z.object({ em: moment.optional() })

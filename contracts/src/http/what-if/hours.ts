import { z } from 'zod'
import { contactId, whatsappMessageId } from '../../values/ids.ts'
import { instant } from '../../values/instant.ts'
import { checkPeriod } from '../../values/time/period.ts'
import { endpoint } from '../endpoint.ts'
import { setOpeningHoursBody } from '../opening-hours.ts'
import { maxWhatIfDays, walkAsked, walkPart } from './walk.ts'

/** What became of a message, or would; all but `answered`: why it got no reply. `not_sent`: the plan or an outage. */
const outcome = z.enum([
  'answered',
  'open',
  'off',
  'already_answered',
  'too_late',
  'not_waiting',
  'flow_answers',
  'line_not_open',
  'not_sent',
])

const difference = z.object({
  contactId,
  contactName: z.string().nullable(),
  messageId: whatsappMessageId,
  sentAt: instant,
  was: outcome,
  would: outcome,
})

const part = z.object({
  ...walkPart,
  messages: z.int().nonnegative(),
  answered: z.int().nonnegative(),
  wouldAnswer: z.int().nonnegative(),
  gained: z.int().nonnegative(),
  lost: z.int().nonnegative(),
  differences: z.array(difference),
})

export const hoursWhatIfEndpoints = {
  ask: endpoint({
    service: 'contacts',
    method: 'POST',
    path: '/api/opening-hours/what-if',
    area: 'Conversas',
    changesNothing: true,
    costs: 'computing',
    summary:
      'Que mensagens de alguns dias teriam a resposta fora do horário com outros horários, por partes. Nada é enviado nem guardado.',
    body: setOpeningHoursBody.extend({ isReplyOn: z.boolean(), ...walkAsked }).superRefine(checkPeriod(maxWhatIfDays)),
    replies: { 200: part },
  }),
}

export type HoursOutcome = z.infer<typeof outcome>
export type HoursDifference = z.infer<typeof difference>
export type HoursWhatIfPart = z.infer<typeof part>

import { z } from 'zod'
import { flowId, flowStart } from '../../flows/flow-document.ts'
import { connectionId } from '../../values/ids.ts'
import { instant } from '../../values/instant.ts'
import { maximumTextLength } from '../../values/lengths.ts'
import { endpoint } from '../endpoint.ts'

/** Published, or ordered as a draft; those with the same trigger are tried in this order. */
const orderedFlow = z.object({
  flowId,
  isOn: z.boolean(),
  /** Null: it is off, or its trigger is. */
  start: flowStart.nullable(),
  /** Empty: all. */
  connectionIds: z.array(z.string()),
})

/** Why a flow starts by a message, or does not. */
export const startVerdict = z.enum([
  'answers',
  /** Another with the same trigger comes first. */
  'after_another',
  /** Another has a more specific trigger. */
  'less_specific',
  'no_keyword',
  'not_first',
  /** The business is open. */
  'open',
  'by_label',
  'other_line',
  'running',
  'ran_recently',
  'trigger_off',
  'off',
  /** Nothing may be sent at present. */
  'no_access',
])

const messageTried = z.object({
  text: z.string({ error: 'Escreva a mensagem.' }).min(1, 'Escreva a mensagem.').max(maximumTextLength),
  connectionId,
  /** Null: now. */
  at: instant.nullable().default(null),
  /** Somebody who never wrote before. */
  isNew: z.boolean().default(false),
})

const whoAnswers = z.object({
  speaker: z.enum(['flow', 'reply', 'nobody']),
  isOutOfHours: z.boolean(),
  /** Of the reply out of hours. */
  isReplyOn: z.boolean(),
  flows: z.array(z.object({ flowId, kind: z.string().nullable(), verdict: startVerdict })),
})

export const flowOrderEndpoints = {
  read: endpoint({
    service: 'automation',
    method: 'GET',
    path: '/api/flow-order',
    area: 'Automação',
    summary: 'Os fluxos publicados, na ordem em que respondem, e o que os inicia.',
    costs: 'large',
    replies: { 200: z.array(orderedFlow) },
  }),
  set: endpoint({
    service: 'automation',
    method: 'PUT',
    path: '/api/flow-order',
    area: 'Automação',
    summary: 'Ordena os fluxos: entre os de mesmo gatilho responde o primeiro.',
    body: z.object({ flowIds: z.array(flowId).max(1000, 'São no máximo 1.000 fluxos.') }),
    replies: { 200: z.object({ flowIds: z.array(flowId) }) },
  }),
  whoAnswers: endpoint({
    service: 'automation',
    method: 'POST',
    path: '/api/flow-order/who-answers',
    area: 'Automação',
    changesNothing: true,
    summary: 'Quem responderia a uma mensagem agora, e por que os outros fluxos não.',
    costs: 'large',
    body: messageTried,
    replies: { 200: whoAnswers },
  }),
}

export type OrderedFlow = z.infer<typeof orderedFlow>
export type StartVerdict = z.infer<typeof startVerdict>
export type MessageTried = z.infer<typeof messageTried>
export type WhoAnswers = z.infer<typeof whoAnswers>

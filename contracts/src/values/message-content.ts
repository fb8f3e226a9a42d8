import { z } from 'zod'

/** What a message says. Kinds that Prosa cannot show yet are named, never dropped. */
export const messageContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('unsupported'), type: z.string() }),
])

export type MessageContent = z.infer<typeof messageContent>

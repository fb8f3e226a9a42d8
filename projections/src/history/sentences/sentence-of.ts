import type { EventType } from '@prosa/contracts/events/all-events'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { automationSentences } from './automation.ts'
import { billingSentences } from './billing.ts'
import { chatSentences, contactSentences } from './contacts.ts'
import { identitySentences } from './identity.ts'
import { operationsSentences, webhookSentences } from './operations.ts'
import type { Names, Sentence, Sentences } from './sentence.ts'
import { sessionSentences } from './sessions.ts'

/** A missing type does not compile. */
export const sentences: Sentences<EventType> = {
  ...identitySentences,
  ...billingSentences,
  ...contactSentences,
  ...chatSentences,
  ...automationSentences,
  ...sessionSentences,
  ...operationsSentences,
  ...webhookSentences,
}

export const sentenceOf = (event: Stored, names: Names): Sentence =>
  (sentences[event.type] as (event: Stored, names: Names) => Sentence)(event, names)

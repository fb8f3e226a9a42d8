import { keyedQueue } from '@prosa/kernel/async/keyed-queue'
import { commandHandler } from '@prosa/kernel/domain/command-handler'
import { readFold } from '@prosa/kernel/domain/read-fold'
import type { Ports } from '@prosa/kernel/ports'
import { chat } from './chat/chat.ts'
import { contact } from './contact/contact.ts'
import { contactDirectory } from './contact/contact-directory.ts'
import { contactFields } from './fields/contact-fields.ts'
import { labels } from './labels.ts'
import { openingHours } from './opening-hours.ts'
import { companyName } from './others/company-name.ts'
import { connectionLine } from './others/connection-line.ts'
import { isAccountErased } from './others/is-account-erased.ts'
import { runsOfFlows } from './others/runs-of-flows.ts'
import { storedMedia } from './others/stored-media.ts'
import { findOwnLines, type OwnLine } from './queries.ts'
import { quickReplies } from './quick-replies.ts'

/** `ownLines`: from the read model. */
export const contactHandlers = (
  ports: Ports,
  ownLines: (tenant: string) => Promise<OwnLine[]> = (tenant) => findOwnLines(ports.pool, tenant),
) => {
  const { store, codec, clock, snapshots } = ports
  const base = { store, codec, clock, snapshots, service: 'contacts' } as const
  return {
    contacts: commandHandler({ ...base, category: 'contact', decider: contact, foreign: 'contact_not_found' }),
    chats: commandHandler({ ...base, category: 'chat', decider: chat, foreign: 'contact_not_found' }),
    quickReplies: commandHandler({
      ...base,
      category: 'quickReply',
      decider: quickReplies,
      foreign: 'quick_reply_not_found',
    }),
    openingHours: commandHandler({
      ...base,
      category: 'openingHours',
      decider: openingHours,
      foreign: 'opening_hours_not_set',
    }),
    labels: commandHandler({ ...base, category: 'label', decider: labels, foreign: 'label_not_found' }),
    contactFields: commandHandler({
      ...base,
      category: 'contactField',
      decider: contactFields,
      foreign: 'contact_field_not_found',
    }),
    lines: readFold(base, 'connection', connectionLine),
    media: readFold(base, 'media', storedMedia),
    companies: readFold(base, 'company', companyName),
    flowRuns: readFold(base, 'flowRun', runsOfFlows),
    accountErasures: readFold(base, 'user', isAccountErased),
    ownLines,
    directory: contactDirectory(ports),
    contactQueue: keyedQueue(),
    store,
    codec,
    clock,
    subjectKeys: ports.subjectKeys,
    box: ports.box,
  }
}

export type ContactHandlers = ReturnType<typeof contactHandlers>

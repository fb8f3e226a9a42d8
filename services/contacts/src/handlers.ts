import { keyedQueue } from '@prosa/kernel/async/keyed-queue'
import { commandHandler } from '@prosa/kernel/domain/command-handler'
import type { Ports } from '@prosa/kernel/ports'
import { chat } from './chat.ts'
import { companyName } from './company-name.ts'
import { connectionLine } from './connection-line.ts'
import { contact } from './contact.ts'
import { contactDirectory } from './contact-directory.ts'
import { erasedTenants } from './erased-tenants.ts'
import { labels } from './labels.ts'
import { openingHours } from './opening-hours.ts'
import { findOwnLines, type OwnLine } from './queries.ts'
import { quickReplies } from './quick-replies.ts'
import { runsOfFlows } from './runs-of-flows.ts'
import { storedMedia } from './stored-media.ts'

/** `ownLines`: from the read model. */
export const contactHandlers = (
  ports: Ports,
  ownLines: (owner: string) => Promise<OwnLine[]> = (owner) => findOwnLines(ports.pool, owner),
) => {
  const { store, codec, clock, snapshots } = ports
  const base = { store, codec, clock, snapshots }
  return {
    contacts: commandHandler({ ...base, category: 'contact', decider: contact, foreign: 'contact_not_found' }),
    chats: commandHandler({ ...base, category: 'chat', decider: chat, foreign: 'contact_not_found' }),
    lines: commandHandler({
      ...base,
      category: 'connection',
      decider: connectionLine,
      foreign: 'connection_not_found',
    }),
    media: commandHandler({ ...base, category: 'media', decider: storedMedia, foreign: 'media_not_found' }),
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
    companies: commandHandler({ ...base, category: 'company', decider: companyName, foreign: 'user_not_found' }),
    labels: commandHandler({ ...base, category: 'label', decider: labels, foreign: 'label_not_found' }),
    flowRuns: commandHandler({
      ...base,
      category: 'flowRun',
      decider: runsOfFlows,
      foreign: 'contact_not_found',
    }),
    ownLines,
    directory: contactDirectory(ports),
    inTurn: keyedQueue(),
    erasedTenants: erasedTenants(store),
    store,
    codec,
    clock,
    subjectKeys: ports.subjectKeys,
    box: ports.box,
  }
}

export type ContactHandlers = ReturnType<typeof contactHandlers>

import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Pool, QueryConfig } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AnalyticTable, Asked, Showing } from './analytics/analytic-table.ts'
import { analyticTables } from './analytics/tables.ts'
import { findChanges, findMarks } from './as-it-was/queries.ts'
import { findMessages } from './chat-messages/queries.ts'
import { findCompany } from './company/queries.ts'
import { readConnections } from './connections/queries.ts'
import { findContactFields, findContactFieldValues, findContactNotes } from './contact-details/queries.ts'
import { countContacts, findContact, findContacts, findLongestWaiting } from './contact-list/queries.ts'
import { countVersions, findAbsorbedVersions, findVersions, findVersionsOf } from './contact-list/versions/queries.ts'
import { findLines } from './conversation-lines/queries.ts'
import { readPeriod } from './dashboard/queries.ts'
import { findRecentMessages } from './dashboard/recent-messages.ts'
import { findDefaultFlow } from './default-flow/queries.ts'
import { mediaOf, streamsOfTenant } from './export/queries.ts'
import { findFlowFolders } from './flow-folders/queries.ts'
import { findFlowRun, findFlowRuns } from './flow-runs/queries.ts'
import { findFlowStatistics, findFlowSummaries } from './flow-statistics/queries.ts'
import { findFlowVersion, findFlowVersions } from './flow-versions/queries.ts'
import { findFlow, findFlows, findProjects } from './flows/queries.ts'
import { findLabels } from './labels/queries.ts'
import { findMedia } from './media/queries.ts'
import { searchMessages } from './message-search/queries.ts'
import { findOpeningHours, findTimeZone } from './opening-hours/queries.ts'
import { findQuickReplies } from './quick-replies/queries.ts'
import { testProjections } from './testing/test-projections.ts'
import { findOwnTransactions, findTransaction } from './transactions/queries.ts'
import { findWebhooks } from './webhooks/routes.ts'

/** Equal prefixes: the search index does not separate them. */
const [ana, bia] = [idOf('owner'), idOf('owner').replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))]
const [hers, contactOfAna, alsoHers] = [idOf('contact of bia'), idOf('contact of ana'), idOf('another contact of bia')]
const [hersField, fieldOfAna] = [idOf('field of bia'), idOf('field of ana')]
const [hersLabel, labelOfAna] = [idOf('label of bia'), idOf('label of ana')]
const fileId = idOf('file of ana')
const [lineOfAna, hersLine] = [idOf('line'), idOf('line of bia')]
const over = (connectionId: string) => JSON.stringify([{ connectionId, at: at(1), rank: at(1) }])
const [hersFolder, flowOfAna] = [idOf('folder of bia'), idOf('flow of ana')]
const flowId = idOf('flow of nobody')
const runOfAna = idOf(`run of ${ana} with ${contactOfAna}`)
const waitingOfAna = idOf('waiting of ana')
const secret = 'segredo'
const then = '9' as Position
const foreignMessage = 'm2'
const placeOf = (id: string, tenant: string) => (tenant === ana ? `${id} ${secret}` : id)

let prosa: Awaited<ReturnType<typeof testProjections>>
beforeAll(async () => {
  prosa = await testProjections({ now: () => at(9000) })
  const { pool } = prosa.ports
  const contact = (id: string, tenant: string, name: string, more: Record<string, unknown> = {}) =>
    insert(pool, 'contact_list', {
      id,
      owner: tenant,
      name,
      search: name,
      service_status: 'waiting',
      waiting_since: at(tenant === ana ? 1 : 2),
      last_activity: at(5),
      own_activity: at(5),
      unread_count: 0,
      seen_place: tenant === ana ? secret : '',
      ...more,
    })
  const message = (contactId: string, id: string, tenant: string, words: string, more: object = {}) =>
    insert(pool, 'chat_message', {
      key: `${contactId}:${id}`,
      contact_id: contactId,
      message_id: id,
      owner: tenant,
      place: placeOf(id, tenant),
      sender: 'contact',
      content: { kind: 'text', text: words, ...more },
      timestamp: at(3),
      sent_elsewhere: false,
      is_automatic: false,
      is_flow: false,
      is_program: false,
    })
  const found = (key: string, contactId: string, tenant: string, words: string) =>
    insert(pool, 'message_search', {
      key,
      contact_id: contactId,
      owner: tenant,
      place: placeOf(key, tenant),
      words,
      connection_id: hersLine,
    })

  const version = (contactId: string, tenant: string, position: string, more: Record<string, unknown> = {}) =>
    insert(pool, 'contact_version', {
      id: position === 'latest' ? contactId : idOf(`version ${contactId} ${position}`),
      contact_id: contactId,
      owner: tenant,
      is_latest: position === 'latest',
      position: position === 'latest' ? '3' : position,
      at: tenant === ana ? secret : at(2),
      service_status: 'waiting',
      waiting_since: tenant === ana ? secret : at(2),
      last_activity: at(5),
      unread_count: 0,
      seen_place: tenant === ana ? secret : '',
      labels: '[]',
      ...more,
    })

  // No event creates such rows; each filter must hold alone.
  await contact(hers, bia, 'bia', {
    labels: JSON.stringify([hersLabel, labelOfAna]),
    merged: JSON.stringify([{ id: contactOfAna, lastActivity: at(9), waitingSince: null }]),
    lines: over(lineOfAna),
  })
  await contact(contactOfAna, ana, secret, { absorbed_into: hers, last_activity: at(9), own_activity: at(9) })
  await contact(waitingOfAna, ana, secret, { labels: JSON.stringify([hersLabel]), lines: over(hersLine) })
  await contact(alsoHers, bia, 'bia', { absorbed_into: waitingOfAna })
  await contact(idOf('behind hers'), bia, 'elo', { absorbed_into: hers })
  await contact(idOf("another tenant's one behind that"), ana, secret, { absorbed_into: idOf('behind hers') })
  await contact(idOf("behind another tenant's one"), bia, 'atalho', { absorbed_into: contactOfAna })
  await message(hers, 'm1', bia, 'bom dia')
  await message(hers, foreignMessage, ana, `${secret} bom dia`)
  await message(hers, 'm3', bia, 'foto', { file: { id: fileId } })
  await message(hers, 'm4', bia, 'bom dia também', { quoted: { messageId: foreignMessage, text: '' } })
  await message(waitingOfAna, 'm1', bia, 'bom dia')
  await message(alsoHers, 'm1', bia, 'bom dia')
  await message(contactOfAna, 'm5', bia, 'bom dia')
  await insert(pool, 'media', {
    id: fileId,
    owner: ana,
    contact_id: contactOfAna,
    status: 'ready',
    media_type: secret,
    bytes: 7,
  })
  await found(`${hers}:m1`, hers, bia, ' bom dia')
  await found(`${hers}:${foreignMessage}`, hers, ana, ` ${secret} bom dia`)
  await found(`${contactOfAna}:m3`, contactOfAna, bia, ' bom tarde')
  await version(contactOfAna, ana, 'latest')
  await version(contactOfAna, ana, '2', { absorbed_into: hers })
  await version(hers, bia, 'latest')
  await version(hers, bia, '2')
  await version(hers, ana, '3', { absorbed_into: contactOfAna })
  await version(waitingOfAna, ana, 'latest')
  await version(waitingOfAna, ana, '2')
  await version(waitingOfAna, bia, 'latest', { id: idOf("latest of another tenant's one") })
  await version(alsoHers, bia, 'latest')
  await version(alsoHers, ana, '3')
  await insert(pool, 'contact_note', {
    id: idOf('note'),
    owner: ana,
    contact_id: hers,
    text: secret,
    written_at: at(1),
    attendant_id: ana,
  })
  await insert(pool, 'conversation_line', {
    key: idOf('line of a conversation'),
    id: idOf('line of a conversation'),
    owner: ana,
    contact_id: hers,
    position: '1',
    at: at(1),
    kind: 'finished',
    reason: secret,
  })
  // Of another tenant's flow and connection.
  await insert(pool, 'conversation_line', {
    key: idOf('line of hers'),
    id: idOf('line of hers'),
    owner: bia,
    contact_id: hers,
    position: '2',
    at: at(1),
    kind: 'line_chosen',
    flow_id: flowOfAna,
    connection_id: lineOfAna,
  })
  await insert(pool, 'quick_reply', {
    id: idOf('reply'),
    owner: ana,
    shortcut: secret,
    content: '',
    is_active: true,
    sort_name: 's',
  })
  await insert(pool, 'webhook', {
    id: idOf('webhook'),
    owner: ana,
    name: secret,
    address: secret,
    types: secret,
    with_personal: true,
    status: 'active',
    created_at: at(1),
    status_since: at(1),
  })
  await insert(pool, 'company', {
    id: ana,
    owner: ana,
    name: secret,
    email: secret,
    phone: '',
    website: '',
    address: '',
    notifications: true,
    analytics: true,
  })
  await insert(pool, 'opening_hours', {
    id: ana,
    owner: ana,
    is_set: true,
    time_zone: secret,
    week: '[]',
    holidays: '[]',
    is_reply_on: true,
    reply_text: secret,
  })
  for (const [id, tenant, name] of [
    [hersLabel, bia, 'fiel'],
    [labelOfAna, ana, secret],
  ])
    await insert(pool, 'label', { id, owner: tenant, name, colour: 'red', sort_name: name })
  for (const [id, tenant, name] of [
    [hersField, bia, 'cidade'],
    [fieldOfAna, ana, secret],
  ]) {
    await insert(pool, 'contact_field', { id, owner: tenant, name, variable: name, type: 'text', sort_name: name })
    for (const owner of [bia, ana])
      await insert(pool, 'contact_field_value', {
        ...{ id: `${hers} ${id} ${owner}`, owner, contact_id: hers, field_id: id },
        value: id === hersField && owner === bia ? 'Natal' : secret,
      })
  }
  const drawn = { created_at: at(1), updated_at: at(1) }
  await insert(pool, 'flow_folder', {
    id: hersFolder,
    owner: bia,
    name: 'dela',
    description: '',
    sort_name: 'd',
    ...drawn,
  })
  await insert(pool, 'flow_folder', {
    id: idOf('folder of ana'),
    owner: ana,
    name: secret,
    description: '',
    sort_name: 's',
    ...drawn,
  })
  await insert(pool, 'flow', {
    id: flowOfAna,
    owner: ana,
    place: '1',
    name: secret,
    folder_id: hersFolder,
    version: 1,
    is_on: true,
    document: JSON.stringify({ secret }),
    revision: 0,
    node_count: 1,
    ...drawn,
  })
  await insert(pool, 'flow_version', {
    key: `${flowOfAna}:1`,
    flow_id: flowOfAna,
    owner: ana,
    version: 1,
    published_at: `${at(1)} ${secret}`,
    publisher_id: ana,
    document: JSON.stringify({ secret }),
    added: 1,
    removed: 0,
    changed: 0,
  })
  await insert(pool, 'default_flow', { id: ana, owner: ana, flow_id: secret })
  await insert(pool, 'kiwify_transaction', {
    id: 'order',
    owner: ana,
    transaction_id: secret,
    created_at: at(1),
    event: 'compra_aprovada',
    status: 'approved',
    is_buyer_erased: false,
    is_hidden: false,
    is_erased_buyer_charged: false,
    lacks_plan: false,
    search: '',
    reports: '[]',
  })
  for (const [tenant, stream] of [
    [ana, `connection-${secret}`],
    [bia, `contact-${hers}`],
    [ana, `contact-${secret}`],
  ] as const)
    await insert(pool, 'history_place', {
      id: idOf(stream),
      place: '1',
      stream,
      revision: 0,
      type: 'ContactAdded',
      record: stream,
      group_name: 'conversation',
      owner: tenant,
      actor_kind: 'system',
      actor_id: 'test',
      correlation_id: 'c',
      causation_id: 'c',
      recorded_at: at(1),
      thread: '1',
      thread_at: at(1),
      depth: 0,
    })
  await insert(pool, 'hourly_activity', {
    key: `${ana} 2026-11-21T12`,
    owner: ana,
    hour: '2026-11-21T12',
    received: 99,
    sent: 99,
    resolved: 99,
  })
  for (const [tenant, contactId] of [
    [ana, contactOfAna],
    [bia, waitingOfAna],
    [bia, idOf("behind another tenant's one")],
  ] as const)
    await insert(pool, 'flow_run', {
      id: idOf(`run of ${tenant} with ${contactId}`),
      owner: tenant,
      flow_id: flowId,
      version: 1,
      contact_id: contactId,
      started_by: tenant === ana ? secret : 'keyword',
      started_at: tenant === ana ? secret : at(1),
      place: tenant === ana ? '1' : '2',
      node_id: tenant === ana ? secret : 'n1',
      is_left: false,
      reason: tenant === ana ? 'silence' : null,
      parts: '[]',
    })
  await insert(pool, 'flow_statistic', {
    key: 'node of ana',
    owner: ana,
    flow_id: flowId,
    node_id: secret,
    contact_id: contactOfAna,
    left_by_true: 1,
    left_by_false: 0,
    left_by_answer: 0,
    left_by_timeout: 0,
    left_by_next: 0,
    is_clicked: true,
  })
  await insert(pool, 'flow_statistic', {
    key: 'output of ana',
    owner: ana,
    flow_id: flowId,
    node_id: secret,
    output: secret,
    contact_id: contactOfAna,
    left_by_true: 1,
    left_by_false: 0,
    left_by_answer: 0,
    left_by_timeout: 0,
    left_by_next: 1,
    is_clicked: true,
  })
  await insert(pool, 'conversation_wait', {
    key: contactOfAna,
    owner: ana,
    added_at: at(1),
    is_absorbed: false,
    is_open: true,
    waits: '[]',
    accepted_at: at(2),
    waited_seconds: 99,
  })
  await insertAnalytics(pool)
  for (const [id, tenant, name] of [
    [lineOfAna, ana, secret],
    [hersLine, bia, 'dela'],
  ])
    await insert(pool, 'connection', {
      id,
      owner: tenant,
      name,
      status: 'connected',
      status_since: at(1),
      added_at: at(1),
      has_pairing_code: false,
      line: 'open',
      is_removed: false,
      last_activity: at(1),
    })
})
afterAll(() => prosa.stop())

const insert = async (pool: Pool, table: string, row: Record<string, unknown>) => {
  const names = Object.keys(row)
  const places = names.map((_, index) => `$${index + 1}`)
  await pool.query(`insert into ${table} (${names}) values (${places})`, Object.values(row))
}

const insertAnalytics = async (pool: Pool) => {
  const changed = { position: '1', updated_at: at(1) }
  const conversation = { contact_id: hers, number: 1, service_status: 'waiting', is_erased: false, opened_at: at(1) }
  const counts = { has_received_over: false, received: 1, sent_by_person: 0, sent_by_rule: 0, has_moved: false }
  const facts = { kind: 'text', is_reply: false, sent_at: at(1), recorded_at: at(1), retries: 0 }
  for (const tenant of [ana, bia]) {
    const leaking = tenant === ana ? secret : null
    await insert(pool, 'analytic_conversation', {
      ...{
        key: `${hers} ${tenant}`,
        owner: tenant,
        person_id: waitingOfAna,
        conversation_id: idOf('opening'),
        opened_by: 'contact',
      },
      ...{ ...changed, ...conversation, ...counts, attendant_id: leaking },
    })
    await insert(pool, 'analytic_message', {
      ...{
        key: tenant === ana ? `${hers}:m1` : `${hers}:${foreignMessage}`,
        owner: tenant,
        message_id: 'm',
        author: 'contact',
      },
      ...{ contact_id: hers, person_id: hers, connection_id: hersLine, ...changed, ...facts, failure_code: leaking },
    })
    await insert(pool, 'analytic_connection', {
      ...{ key: tenant === ana ? lineOfAna : hersLine, owner: tenant, position: '1', connection_id: hersLine },
      ...{ added_at: at(1), online_from: tenant === ana ? at(0) : null, is_interruption: false, network: leaking },
    })
    await insert(pool, 'analytic_subscription', {
      ...{
        key: tenant,
        owner: tenant,
        ...changed,
        period_id: idOf('period'),
        number: 1,
        kind: 'trial',
        started_at: at(1),
      },
      ...{ ends_at: at(2), product_id: leaking, payments: 0 },
    })
  }
}

const asked: Asked = {
  ...{ tenant: bia, after: '', afterTime: undefined, upTo: '~', now: at(9000), withPersonal: true },
  ...{ updatedSince: undefined, updatedBefore: undefined },
}
const showing: Showing = { withPersonal: true, id: (_, value) => value }
const rowsOf = async (table: AnalyticTable, pool: Pool, more: Partial<Asked> = {}) =>
  (await all(table.rows(pool, { ...asked, ...more }))).flat().map(({ show }) => show(showing))

const all = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

const readers: Record<string, (pool: Pool) => Promise<unknown>> = {
  contacts: (pool) => findContacts(pool, { tenant: bia, limit: 10 }),
  'contacts by name': (pool) => findContacts(pool, { tenant: bia, search: secret, limit: 10 }),
  "contacts by a name behind another tenant's one": (pool) =>
    findContacts(pool, { tenant: bia, search: 'atalho', limit: 10 }),
  'contacts by her label': (pool) => findContacts(pool, { tenant: bia, label: hersLabel, limit: 10 }),
  "contacts by another tenant's label": (pool) => findContacts(pool, { tenant: bia, label: labelOfAna, limit: 10 }),
  'contacts over another tenant’s connection': (pool) =>
    findContacts(pool, { tenant: bia, connectionId: lineOfAna, limit: 10 }),
  'longest waiting over another tenant’s connection': (pool) =>
    findLongestWaiting(pool, { tenant: bia, connectionId: lineOfAna }),
  'counts over another tenant’s connection': (pool) => countContacts(pool, bia, lineOfAna),
  'contacts over her connection': (pool) => findContacts(pool, { tenant: bia, connectionId: hersLine, limit: 10 }),
  'longest waiting over her connection': (pool) => findLongestWaiting(pool, { tenant: bia, connectionId: hersLine }),
  'counts over her connection': (pool) => countContacts(pool, bia, hersLine),
  'words over her connection': (pool) =>
    searchMessages(pool, { tenant: bia, words: ['bom'], connections: [hersLine], limit: 2 }),
  'words over her connection by the index': (pool) =>
    searchMessages(pool, { tenant: bia, words: ['bom'], connections: [hersLine], limit: 5, lookBack: 0 }),
  'longest waiting': (pool) => findLongestWaiting(pool, { tenant: bia }),
  'longest waiting by her label': (pool) => findLongestWaiting(pool, { tenant: bia, label: hersLabel }),
  "longest waiting by another tenant's label": (pool) => findLongestWaiting(pool, { tenant: bia, label: labelOfAna }),
  counts: (pool) => countContacts(pool, bia),
  'contacts of then': (pool) => findVersions(pool, { tenant: bia, moment: then, limit: 10 }),
  'counts of then': (pool) => countVersions(pool, { tenant: bia, moment: then }),
  'some contacts of then': (pool) => findVersionsOf(pool, bia, then, [hers, contactOfAna, alsoHers]),
  'contacts that were merged then': (pool) => findAbsorbedVersions(pool, bia, then, [hers]),
  'moments of the past': (pool) => findMarks(pool, { tenant: bia, moment: then, eachSide: 10 }),
  'moments after it': (pool) => findMarks(pool, { tenant: bia, moment: '0' as Position, eachSide: 10 }),
  "moments of another tenant's contact": (pool) =>
    findMarks(pool, { tenant: bia, contactId: contactOfAna, moment: then, eachSide: 10 }),
  "moments of another tenant's contact after it": (pool) =>
    findMarks(pool, { tenant: bia, contactId: contactOfAna, moment: '0' as Position, eachSide: 10 }),
  'what changed since then': (pool) => findChanges(pool, bia, '0' as Position, 10),
  'her contact': (pool) => findContact(pool, bia, hers),
  "a contact of hers behind another tenant's one": (pool) => findContact(pool, bia, alsoHers),
  "another tenant's contact": (pool) => findContact(pool, bia, contactOfAna),
  'latest messages': (pool) =>
    findMessages(pool, { tenant: bia, contactId: hers, mergedIds: [], page: { kind: 'latest' }, limit: 10 }),
  'newer messages': (pool) =>
    findMessages(pool, {
      tenant: bia,
      contactId: hers,
      mergedIds: [],
      page: { kind: 'after', position: 'm1' },
      limit: 10,
    }),
  'messages around her own': (pool) =>
    findMessages(pool, {
      tenant: bia,
      contactId: hers,
      mergedIds: [],
      page: { kind: 'around', messageId: 'm1' },
      limit: 10,
    }),
  "messages around another tenant's one": (pool) =>
    findMessages(pool, {
      tenant: bia,
      contactId: hers,
      mergedIds: [],
      page: { kind: 'around', messageId: foreignMessage },
      limit: 10,
    }),
  "another tenant's file": (pool) => findMedia(pool, bia, fileId),
  'latest words': (pool) => searchMessages(pool, { tenant: bia, words: ['bom'], limit: 2 }),
  'words by the index': (pool) => searchMessages(pool, { tenant: bia, words: ['bom'], limit: 5, lookBack: 0 }),
  'words of a chat': (pool) => searchMessages(pool, { tenant: bia, words: ['bom'], chats: [hers], limit: 5 }),
  'recent messages': (pool) => findRecentMessages(pool, { tenant: bia, since: at(0), limit: 10 }),
  'numbers of a period': (pool) =>
    readPeriod(pool, { tenant: bia, timeZone: 'America/Sao_Paulo', from: '2026-11-20', to: '2026-11-22' }),
  'numbers of a day': (pool) =>
    readPeriod(pool, { tenant: bia, timeZone: 'America/Sao_Paulo', from: '2026-11-21', to: '2026-11-21' }),
  labels: (pool) => findLabels(pool, bia),
  'fields of contacts': (pool) => findContactFields(pool, bia),
  'values of fields': (pool) => findContactFieldValues(pool, bia, hers),
  webhooks: (pool) => findWebhooks(pool, bia),
  'folders of flows': (pool) => findFlowFolders(pool, bia),
  flows: (pool) => findFlows(pool, bia),
  "another tenant's flow": (pool) => findFlow(pool, bia, flowOfAna),
  "versions of another tenant's flow": (pool) => findFlowVersions(pool, bia, flowOfAna),
  "a version of another tenant's flow": (pool) => findFlowVersion(pool, bia, flowOfAna, 1),
  projects: (pool) => findProjects(pool, bia),
  'default flow': (pool) => findDefaultFlow(pool, bia),
  'quick replies': (pool) => findQuickReplies(pool, bia),
  'opening hours': (pool) => findOpeningHours(pool, bia),
  company: (pool) => findCompany(pool, bia),
  'time zone': (pool) => findTimeZone(pool, bia),
  notes: (pool) => findContactNotes(pool, bia, [hers]),
  'what happened between messages': (pool) =>
    findLines(pool, {
      tenant: bia,
      contactIds: [hers],
      after: '',
      before: '\x7f',
      asOf: '\x7f',
      limit: 10,
      from: 'latest',
    }),
  transactions: (pool) => findOwnTransactions(pool, { tenant: bia, limit: 10 }),
  "another tenant's transaction": (pool) => findTransaction(pool, { id: 'order', tenant: bia }),
  'streams in a copy': (pool) => all(streamsOfTenant(pool, bia)),
  'files in a copy': (pool) => all(mediaOf(pool, bia, null)),
  'files of a contact in a copy': (pool) => all(mediaOf(pool, bia, [hers, contactOfAna])),
  'runs of a flow': (pool) => findFlowRuns(pool, { tenant: bia, flowId, before: undefined, limit: 10 }),
  "another tenant's run": (pool) => findFlowRun(pool, bia, runOfAna),
  'numbers of flows': (pool) => findFlowSummaries(pool, bia),
  'numbers of a flow': (pool) => findFlowStatistics(pool, bia, flowId),
  'analytic conversations': (pool) => rowsOf(analyticTables.conversations, pool),
  'analytic messages': (pool) => rowsOf(analyticTables.messages, pool),
  'analytic connections': (pool) => rowsOf(analyticTables.connections, pool),
  'analytic connections since then': (pool) =>
    rowsOf(analyticTables.connections, pool, { after: '0', afterTime: at(8000) }),
  'analytic subscriptions': (pool) => rowsOf(analyticTables.subscriptions, pool),
  connections: (pool) => readConnections({ ...prosa.ports, pool })(bia),
}

const filter = /(?:\b\w+\.|"\w+"\.)?(?:"owner"|\bowner) = (?:\$\d+|\?)/g
const ids = [hers, contactOfAna, alsoHers, waitingOfAna, fileId, labelOfAna]
const keys = ids.flatMap((id) => ['m1', foreignMessage, 'm3'].map((message) => `${id}:${message}`))

interface Statement {
  text: string
  values: readonly unknown[]
}

const statementsOf = async (): Promise<Statement[]> => {
  const asked: Statement[] = []
  const pool: Pool = Object.assign(Object.create(prosa.ports.pool), {
    query: (given: string | QueryConfig, more?: unknown[]) => {
      const { text, values = [] } = typeof given === 'string' ? { text: given, values: more } : given
      asked.push({ text, values })
      return prosa.ports.pool.query(text, [...values])
    },
  })
  for (const read of Object.values(readers)) await read(pool)
  return asked
}

/** With ids of another tenant, as if earlier filters had failed. */
const variantsOf = ({ values }: Statement): (readonly unknown[])[] => {
  const replaced = (index: number, value: unknown) => values.with(index, value)
  return values.flatMap((value, index) => {
    if (typeof value === 'string' && ids.includes(value)) return ids.map((id) => replaced(index, id))
    return Array.isArray(value) ? [replaced(index, ids), replaced(index, keys)] : [values]
  })
}

it.each(Object.entries(readers))('%s: nothing of another tenant, although rows cross', async (_, read) => {
  const shown = JSON.stringify((await read(prosa.ports.pool)) ?? null)
  expect(shown).not.toContain(secret)
  expect(shown).not.toContain(contactOfAna)
})

it('counts only her own', async () => {
  expect(await countContacts(prosa.ports.pool, bia)).toEqual({
    waiting: 1,
    asked: 0,
    bot: 0,
    attending: 0,
    resolved: 0,
  })
  expect(await countContacts(prosa.ports.pool, bia, lineOfAna)).toEqual({
    waiting: 0,
    asked: 0,
    bot: 0,
    attending: 0,
    resolved: 0,
  })
})

it('runs of a flow go on before a place, which is not shown again', async () => {
  const asked = { tenant: bia, flowId, limit: 10 }
  const [first] = await findFlowRuns(prosa.ports.pool, { ...asked, before: undefined })
  expect(first?.place).toBe('2')
  expect(await findFlowRuns(prosa.ports.pool, { ...asked, before: '2' })).toEqual([])
  expect(await findFlowRuns(prosa.ports.pool, { ...asked, before: '3' })).toHaveLength(2)
})

it('no statement that is about a tenant gives anything of another, whatever it is asked about', async () => {
  const statements = (await statementsOf()).filter(({ values }) => values.includes(bia))
  expect(statements.length).toBeGreaterThan(12)
  for (const statement of statements)
    for (const values of variantsOf(statement)) {
      const { rows } = await prosa.ports.pool.query(statement.text, [...values])
      expect(JSON.stringify(rows)).not.toContain(secret)
    }
})

it('each single filter by tenant holds something back here: leaving one out would be noticed above', async () => {
  const { pool } = prosa.ports
  const noticed = new Map<string, boolean>()
  for (const statement of await statementsOf())
    for (const { 0: found, index } of statement.text.matchAll(filter)) {
      const { text } = statement
      const weakened = `${text.slice(0, index)}(${found} or true)${text.slice(index + found.length)}`
      const leaks = async (values: readonly unknown[]) => {
        const asked = await pool.query(text, [...values])
        const leaking = await pool.query(weakened, [...values])
        return JSON.stringify(leaking.rows) !== JSON.stringify(asked.rows)
      }
      for (const values of variantsOf(statement)) if (!noticed.get(weakened)) noticed.set(weakened, await leaks(values))
    }
  expect(noticed.size).toBeGreaterThan(20)
  expect([...noticed].filter(([, isNoticed]) => !isNoticed).map(([weakened]) => weakened)).toEqual([])
})

it('what she reads is the same once nothing of the other tenant exists any more', async () => {
  const { pool } = prosa.ports
  const readAll = () => Promise.all(Object.entries(readers).map(async ([name, read]) => [name, await read(pool)]))
  const beside = await readAll()
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     join information_schema.tables using (table_schema, table_name)
     where table_schema = current_schema() and column_name = 'owner' and table_type = 'BASE TABLE'`,
  )
  for (const { name } of rows) await pool.query(`delete from ${name} where owner = $1`, [ana])
  expect(await readAll()).toEqual(beside)
})

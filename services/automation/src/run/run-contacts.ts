import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'

interface RunContactRow {
  runId: string
  tenant: string
  contactId: string
  flowId: string
  connectionId: string
  startedAt: string
  /** Another run went on into it. */
  isSequel: boolean
  isOver: boolean
}

const runContactTable: Table<RunContactRow> = {
  name: 'flow_run_place',
  key: 'runId',
  columns: {
    runId: 'text collate "C"',
    tenant: 'text collate "C" not null',
    contactId: 'text collate "C" not null',
    flowId: 'text collate "C" not null',
    connectionId: 'text collate "C" not null',
    startedAt: 'text collate "C" not null',
    isSequel: 'boolean not null',
    isOver: 'boolean not null',
  },
  after: [
    'create index flow_run_place_flow on flow_run_place (flow_id, started_at)',
    'create index flow_run_place_connection on flow_run_place (connection_id) where not is_over',
    'create index flow_run_place_contact on flow_run_place (contact_id)',
    'create index flow_run_place_owner on flow_run_place (owner)',
  ],
}

const contactOf = ({ stream }: { stream: string }) => parseStream(stream).id
const key = ({ data }: { data: { runId: string } }) => data.runId

/** A run's stream is named after its contact. Only ids and times. */
export const runContacts: Projection<RunContactRow> = {
  name: 'flow-run-places',
  version: 1,
  categories: ['flowRun', 'contact', 'user'],
  table: runContactTable,
  on: {
    FlowRunStarted: {
      key,
      makes: true,
      row: (row, event) => {
        const { tenant, recordedAt } = event.metadata
        if (!tenant) return row
        const { runId, flowId, connectionId, startedBy } = event.data
        const contactId = contactOf(event)
        const isSequel = startedBy === 'flow'
        return { runId, tenant, contactId, flowId, connectionId, startedAt: recordedAt, isSequel, isOver: false }
      },
    },
    FlowRunTakenOver: { key, row: (row, event) => row && { ...row, contactId: contactOf(event) } },
    FlowRunEnded: { key, row: (row) => row && { ...row, isOver: true } },
    ContactErased: { purge: { column: 'contactId', value: contactOf } },
    UserErased: { purge: { column: 'tenant', value: contactOf } },
  },
}

interface FlowContactRow {
  contactId: string
  tenant: string
}

const flowContactTable: Table<FlowContactRow> = {
  name: 'flow_contact',
  key: 'contactId',
  columns: {
    contactId: 'text collate "C"',
    tenant: 'text collate "C" not null',
  },
  after: ['create index flow_contact_owner on flow_contact (owner, contact_id)'],
}

/** Whose conversations a draft is replayed over: absorbed contacts keep theirs. */
export const flowContacts: Projection<FlowContactRow> = {
  name: 'flow-contacts',
  version: 1,
  categories: ['contact', 'user'],
  table: flowContactTable,
  on: {
    ContactAdded: {
      key: contactOf,
      row: (row, event) => {
        const { tenant } = event.metadata
        return tenant === null ? row : { contactId: contactOf(event), tenant }
      },
    },
    ContactErased: { key: contactOf, row: () => undefined },
    UserErased: { purge: { column: 'tenant', value: contactOf } },
  },
}

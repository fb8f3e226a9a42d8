import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { WebhookStatus } from '@prosa/contracts/values/webhook'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { StoredOf } from '@prosa/kernel/event-store/codec'

interface WebhookRow {
  id: string
  tenant: string
  name: string
  address: string
  /** Separated by spaces. */
  types: string
  withPersonal: boolean
  status: string
  disabledCause: string | null
  createdAt: Instant
  statusSince: Instant
}

const webhookTable: Table<WebhookRow> = {
  name: 'webhook',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    tenant: 'text collate "C" not null',
    name: 'text not null',
    address: 'text not null',
    types: 'text not null',
    withPersonal: 'boolean not null',
    status: 'text not null',
    disabledCause: 'text',
    createdAt: 'text collate "C" not null',
    statusSince: 'text collate "C" not null',
  },
  after: ['create index webhook_owner on webhook (owner, created_at, id)'],
}

const key = ({ data }: { data: { webhookId: string } }): string => data.webhookId

const settingsOf = ({ name, address, types, withPersonal }: StoredOf<'WebhookRevised'>['data']) => ({
  ...{ name, address, withPersonal },
  types: types.join(' '),
})

const added = ({ stream, metadata, data }: StoredOf<'WebhookAdded'>): WebhookRow => ({
  id: data.webhookId,
  tenant: parseStream(stream).id,
  ...settingsOf(data),
  status: 'active',
  disabledCause: null,
  createdAt: metadata.recordedAt,
  statusSince: metadata.recordedAt,
})

const inStatus = (row: WebhookRow | undefined, status: WebhookStatus, at: Instant, cause: string | null = null) =>
  row && { ...row, status, disabledCause: cause, statusSince: at }

export const webhookList: Projection<WebhookRow> = {
  name: 'webhooks',
  version: 1,
  categories: ['webhook', 'user'],
  table: webhookTable,
  on: {
    WebhookAdded: { key, row: (_, event) => added(event) },
    WebhookRevised: { key, row: (row, { data }) => row && { ...row, ...settingsOf(data) } },
    WebhookPaused: { key, row: (row, { metadata }) => inStatus(row, 'paused', metadata.recordedAt) },
    WebhookResumed: { key, row: (row, { metadata }) => inStatus(row, 'active', metadata.recordedAt) },
    WebhookDisabled: {
      key,
      row: (row, { metadata, data }) => inStatus(row, 'disabled', metadata.recordedAt, data.cause),
    },
    WebhookRemoved: { key, row: () => undefined },
    UserErased: { purge: { column: 'tenant', value: ({ stream }) => parseStream(stream).id } },
  },
}

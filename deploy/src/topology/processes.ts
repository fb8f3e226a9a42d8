import type { ServiceName } from '@prosa/contracts/streams'

/** Every process answers for operations. `web`: pages, API docs, and what no endpoint answers. */
export type ProcessName = Exclude<ServiceName, 'operations'> | 'web'

interface ProcessRecord {
  /** Started by default. */
  instances: number
  does: string
}

/** In the order in which `cluster` starts them. */
export const processes: Record<ProcessName, ProcessRecord> = {
  projections: { instances: 2, does: 'read models, every GET, and what administrators ask of any process' },
  identity: { instances: 1, does: 'accounts, passwords, roles, e-mails' },
  billing: { instances: 1, does: 'what Kiwify reports, plans, access' },
  contacts: { instances: 1, does: 'contacts, conversations, messages to be sent' },
  automation: { instances: 1, does: 'flows and their links' },
  sessions: { instances: 2, does: 'WhatsApp lines and files' },
  realtime: { instances: 2, does: 'Socket.IO' },
  streams: {
    instances: 1,
    does: 'published events to Kafka, where one is configured, and to the webhooks of accounts',
  },
  web: {
    instances: 1,
    does: 'the web app, the page for visitors, `/api/docs`, health, and the 404 of what is nobody’s',
  },
}

export const processNames = Object.keys(processes) as ProcessName[]

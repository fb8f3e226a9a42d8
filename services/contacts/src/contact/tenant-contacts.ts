import { parseStream } from '@prosa/contracts/streams'
import { StoreUnavailable } from '@prosa/kernel/async/reachability'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import { findContactsOf } from '../queries.ts'

interface TenantContactRow {
  contactId: string
  tenant: string
}

const tenantContactTable: Table<TenantContactRow> = {
  name: 'tenant_contact',
  key: 'contactId',
  columns: {
    contactId: 'text collate "C"',
    tenant: 'text collate "C" not null',
  },
  after: ['create index tenant_contact_owner on tenant_contact (owner)'],
}

const key = ({ stream }: Pick<Stored, 'stream'>) => parseStream(stream).id

/** What an erased account still has to erase: absorbed contacts too, and not purged with the account. */
export const tenantContacts: Projection<TenantContactRow> = {
  name: 'tenant-contacts',
  version: 1,
  categories: ['contact'],
  table: tenantContactTable,
  on: {
    ContactAdded: {
      key,
      row: (row, event) => {
        const { tenant } = event.metadata
        return tenant === null ? row : { contactId: key(event), tenant }
      },
    },
    ContactErased: { key, row: () => undefined },
  },
}

/** Not erased yet; complete up to the position. Throws `StoreUnavailable` while the read model lags or lacks events of the tenant. */
export type ContactsOfTenant = (tenant: string, upTo: Position) => Promise<string[]>

const maxWaitMs = 2000

export const contactsOfTenant =
  ({ pool, readModels }: Pick<Ports, 'pool' | 'readModels'>): ContactsOfTenant =>
  async (tenant, upTo) => {
    const names = [tenantContacts.name]
    if (!(await readModels.reached(names, upTo, maxWaitMs)) || readModels.isParked(names, tenant))
      throw new StoreUnavailable('the contacts of the account are not known up to this position of the log yet')
    return findContactsOf(pool, tenant)
  }

import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { AccessColumns } from './fold-access.ts'

export interface AccountRow extends AccessColumns {
  id: string
  firstName: string
  lastName: string
  email: string
  isEmailConfirmed: boolean
  /** After this nothing is sent without a confirmed address; null if not demanded. */
  confirmBy: string | null
  mustChangePassword: boolean
  photoId: string | null
  createdAt: string
  /** The latest terms of use that the user accepted; null: none. */
  termsVersion: string | null
  termsAcceptedAt: string | null
}

export const accountTable: Table<AccountRow> = {
  name: 'account',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    firstName: 'text not null',
    lastName: 'text not null',
    email: 'text not null',
    isEmailConfirmed: 'boolean not null',
    confirmBy: 'text collate "C"',
    mustChangePassword: 'boolean not null',
    photoId: 'text collate "C"',
    createdAt: 'text not null',
    termsVersion: 'text',
    termsAcceptedAt: 'text',
    subscriptionStatus: 'text not null',
    subscriptionEnd: 'text',
    isTrial: 'boolean not null',
    roles: 'text[] not null',
  },
  added: {
    isEmailConfirmed: { was: 'false' },
    confirmBy: { was: 'null' },
    mustChangePassword: { was: 'false' },
    photoId: { was: 'null' },
    isTrial: { notKnownYet: true },
    termsVersion: { was: 'null' },
    termsAcceptedAt: { was: 'null' },
  },
  after: [
    "create index account_with_roles on account (id) where roles <> '{}'",
    'create index account_unconfirmed on account (id) where not is_email_confirmed and confirm_by is null',
    'create index account_photo on account (photo_id) where photo_id is not null',
  ],
}

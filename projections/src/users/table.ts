import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { AccessColumns } from '../account/fold-access.ts'
import { wordsIn } from '../word-index.ts'

export interface UserRow extends AccessColumns {
  id: string
  firstName: string
  lastName: string
  email: string
  isEmailConfirmed: boolean
  photoId: string | null
  createdAt: string
  /** In the form of `indexedText`. */
  words: string
}

export const userTable: Table<UserRow> = {
  name: 'listed_user',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    firstName: 'text not null',
    lastName: 'text not null',
    email: 'text not null',
    isEmailConfirmed: 'boolean not null',
    photoId: 'text collate "C"',
    createdAt: 'text collate "C" not null',
    roles: 'text[] not null',
    subscriptionStatus: 'text collate "C" not null',
    subscriptionEnd: 'text collate "C"',
    isTrial: 'boolean not null',
    words: 'text collate "C" not null',
  },
  added: { photoId: { was: 'null' } },
  after: [
    'create index listed_user_latest on listed_user (created_at desc, id desc)',
    `create index listed_user_words on listed_user using gin ((${wordsIn('words')}))`,
    'create index listed_user_status on listed_user (subscription_status, created_at desc, id desc)',
    'create index listed_user_name on listed_user ((left(words, 40)), id)',
    `create index listed_user_any_end on listed_user ((coalesce(subscription_end, '')), id)`,
    `create index listed_user_end on listed_user (subscription_end) where subscription_status = 'active'`,
  ],
}

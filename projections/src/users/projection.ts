import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { foldAccess } from '../account/fold-access.ts'
import { indexedText } from '../word-index.ts'
import { type UserRow, userTable } from './table.ts'

const key = ({ stream }: { stream: string }) => parseStream(stream).id

const found = (row: UserRow): UserRow => ({ ...row, words: indexedText([row.firstName, row.lastName, row.email]) })

/** Deleted on erasure. */
export const users: Projection<UserRow> = {
  name: 'users',
  version: 5,
  categories: ['user', 'subscription'],
  table: userTable,
  on: {
    UserRegistered: {
      key,
      row: (_, { stream, data: { firstName, lastName, email }, metadata }) =>
        found({
          id: parseStream(stream).id,
          firstName,
          lastName,
          email,
          isEmailConfirmed: false,
          photoId: null,
          createdAt: metadata.recordedAt,
          roles: [],
          subscriptionStatus: 'active',
          subscriptionEnd: null,
          isTrial: true,
          words: '',
        }),
    },
    UserRenamed: {
      key,
      row: (row, { data: { firstName, lastName } }) => row && found({ ...row, firstName, lastName }),
    },
    EmailChanged: {
      key,
      row: (row, { data: { email } }) => row && found({ ...row, email, isEmailConfirmed: false }),
    },
    ProfilePhotoChanged: { key, row: (row, { data: { photoId } }) => row && { ...row, photoId } },
    ProfilePhotoRemoved: { key, row: (row) => row && { ...row, photoId: null } },
    EmailConfirmed: { key, row: (row) => row && { ...row, isEmailConfirmed: true } },
    ...foldAccess<UserRow>(),
  },
}

import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { foldAccess } from './fold-access.ts'
import { type AccountRow, accountTable } from './table.ts'

const key = ({ stream }: { stream: string }) => parseStream(stream).id

export const account: Projection<AccountRow> = {
  name: 'account',
  version: 8,
  categories: ['user', 'subscription'],
  table: accountTable,
  on: {
    UserRegistered: {
      key,
      row: (_, { stream, data: { firstName, lastName, email }, metadata }) => ({
        id: parseStream(stream).id,
        firstName,
        lastName,
        email,
        isEmailConfirmed: false,
        confirmBy: null,
        mustChangePassword: false,
        photoId: null,
        createdAt: metadata.recordedAt,
        termsVersion: null,
        termsAcceptedAt: null,
        subscriptionStatus: 'active',
        subscriptionEnd: null,
        isTrial: true,
        roles: [],
      }),
    },
    TermsAccepted: {
      key,
      row: (row, { data, metadata }) =>
        row && { ...row, termsVersion: data.version, termsAcceptedAt: metadata.recordedAt },
    },
    UserRenamed: { key, row: (row, { data: { firstName, lastName } }) => row && { ...row, firstName, lastName } },
    EmailChanged: {
      key,
      row: (row, { data: { email } }) => row && { ...row, email, isEmailConfirmed: false, confirmBy: null },
    },
    EmailConfirmationDemanded: { key, row: (row, { data }) => row && { ...row, confirmBy: data.until } },
    ProfilePhotoChanged: { key, row: (row, { data: { photoId } }) => row && { ...row, photoId } },
    ProfilePhotoRemoved: { key, row: (row) => row && { ...row, photoId: null } },
    EmailConfirmed: { key, row: (row) => row && { ...row, isEmailConfirmed: true } },
    PasswordChanged: { key, row: (row) => row && { ...row, mustChangePassword: false } },
    TemporaryPasswordSet: { key, row: (row) => row && { ...row, mustChangePassword: true } },
    ...foldAccess<AccountRow>(),
  },
}

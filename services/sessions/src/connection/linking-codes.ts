import type { Instant } from '@prosa/contracts/values/instant'
import type { SecretStore } from '@prosa/kernel/privacy/secret-store'
import { toDataURL } from 'qrcode'
import { type PairingRequests, pairingCodeSecret } from './pairing/pairing-requests.ts'

/** Kind under which the picture of the code to scan is kept, by connection. */
const qrSecret = 'qr'

/** The codes with which a phone links a connection, while they are shown. */
export interface LinkingCodes {
  /** Stores the picture of a code to scan. */
  showQrCode(text: string, expiresAt: Instant): Promise<void>
  /** Deletes all of them, and the request for one to type. */
  delete(): Promise<void>
}

export const linkingCodes = (
  connectionId: string,
  { secrets, pairingRequests }: { secrets: SecretStore; pairingRequests: PairingRequests },
): LinkingCodes => ({
  showQrCode: async (text, expiresAt) => secrets.put(qrSecret, connectionId, await toDataURL(text), expiresAt),
  async delete() {
    for (const kind of [qrSecret, pairingCodeSecret]) await secrets.delete(kind, connectionId)
    await pairingRequests.forget(connectionId)
  },
})

import type { Instant } from '@prosa/contracts/values/instant'
import type { SecretStore } from '@prosa/kernel/privacy/secret-store'
import { toDataURL } from 'qrcode'
import { type PairingRequests, pairingCodeSecret } from './pairing-requests.ts'

const qrSecret = 'qr'

export interface LinkingCodes {
  showQrCode(text: string, expiresAt: Instant): Promise<void>
  /** Also deletes the request for a pairing code. */
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

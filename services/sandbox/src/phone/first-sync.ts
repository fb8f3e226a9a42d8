import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { proto } from '@whiskeysockets/baileys'
import type { Device } from '../server/directory.ts'
import type { OwnPhone } from './own-phone.ts'

const { HISTORY_SYNC_NOTIFICATION, APP_STATE_SYNC_KEY_SHARE } = proto.Message.ProtocolMessage.Type
const { INITIAL_BOOTSTRAP, RECENT } = proto.HistorySync.HistorySyncType

export async function sendFirstSync(phone: Pick<OwnPhone, 'history' | 'sendPeer'>, companion: Device) {
  await phone.sendPeer(companion, { protocolMessage: appStateKey() })
  for (const syncType of [INITIAL_BOOTSTRAP, RECENT]) {
    const conversations = syncType === INITIAL_BOOTSTRAP ? phone.history : []
    const payload = proto.HistorySync.encode({ syncType, progress: 100, conversations }).finish()
    const initialHistBootstrapInlinePayload = await promisify(deflate)(payload)
    await phone.sendPeer(companion, {
      protocolMessage: {
        type: HISTORY_SYNC_NOTIFICATION,
        historySyncNotification: { syncType, chunkOrder: 1, progress: 100, initialHistBootstrapInlinePayload },
      },
    })
  }
}

function appStateKey(): proto.Message.IProtocolMessage {
  const keyId = Buffer.concat([Buffer.from([0, 0]), randomBytes(4)])
  const fingerprint = { rawId: 1, currentIndex: 1 }
  const keyData = { keyData: randomBytes(32), timestamp: Date.now(), fingerprint }
  return { type: APP_STATE_SYNC_KEY_SHARE, appStateSyncKeyShare: { keys: [{ keyId: { keyId }, keyData }] } }
}

import { lruMap } from '@prosa/kernel/lru-map'
import {
  type BinaryNode,
  DEFAULT_CONNECTION_CONFIG,
  decodeMessageNode,
  jidNormalizedUser,
  proto,
  type SignalKeyStoreWithTransaction,
  type SocketConfig,
  unpadRandomMax16,
  type WAMessage,
  type WASocket,
} from '@whiskeysockets/baileys'
import { unreadable } from './arrival.ts'
import { durableRatchets, storePreKeysAtOnce } from './durable-keys.ts'

interface Settings {
  /** Once linked. */
  me: () => { id: string; lid?: string } | undefined
  store: (message: WAMessage, via: 'notify' | 'append') => Promise<void>
}

export interface StoreBeforeReceipt {
  makeSignalRepository: SocketConfig['makeSignalRepository']
  watch(socket: WASocket): void
  /** Baileys emits a message again after confirming it. */
  isStored(message: Pick<WAMessage, 'key'>): boolean
}

/** Baileys may buffer messages for 30 s after linking; an evicted one is appended again, idempotently. */
const maxStored = 500

const nameOf = ({ remoteJid, id, fromMe }: WAMessage['key']) =>
  `${jidNormalizedUser(remoteJid ?? undefined)} ${fromMe === true} ${id}`

/** Never throws. */
export const readPadded = (padded: Uint8Array): proto.IMessage => {
  try {
    const message = proto.Message.decode(unpadRandomMax16(padded))
    return message.deviceSentMessage?.message ?? message
  } catch {
    // Its named author wrote it; a retry would not help.
    return unreadable
  }
}

/**
 * Baileys confirms messages before it emits them, so they are stored during decryption. The ratchet's keys commit only after that: a
 * message whose storing failed can be decrypted again. Decryption gets only the ciphertext, whose identity finds the stanza.
 */
export const storeBeforeReceipt = ({ me, store }: Settings): StoreBeforeReceipt => {
  const stanzas = new WeakMap<Uint8Array, BinaryNode>()
  const stored = lruMap<string, true>(maxStored)

  const storeDecrypted = async (stanza: BinaryNode, padded: Uint8Array) => {
    const own = me()
    if (!own) return
    const { fullMessage } = decodeMessageNode(stanza, own.id, own.lid ?? '')
    await store({ ...fullMessage, message: readPadded(padded) }, stanza.attrs.offline ? 'append' : 'notify')
    stored.set(nameOf(fullMessage.key), true)
  }

  return {
    isStored: ({ key }) => stored.get(nameOf(key)) === true,
    watch(socket) {
      socket.ws.prependListener('CB:message', (stanza: BinaryNode) => {
        if (!Array.isArray(stanza.content)) return
        for (const { tag, content } of stanza.content)
          if (tag === 'enc' && content instanceof Uint8Array) stanzas.set(content, stanza)
      })
    },
    makeSignalRepository(auth, logger, phoneToLid) {
      const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, phoneToLid)
      const keys = auth.keys as SignalKeyStoreWithTransaction
      storePreKeysAtOnce(keys)
      return durableRatchets({
        ...repository,
        decryptMessage: (options) =>
          // Baileys' own transaction around the ratchet joins this one.
          keys.transaction(async () => {
            const padded = await repository.decryptMessage(options)
            const stanza = stanzas.get(options.ciphertext)
            if (stanza) await storeDecrypted(stanza, padded)
            return padded
          }, options.jid),
      })
    },
  }
}

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
import { storePreKeysAtOnce } from './durable-pre-keys.ts'
import { durableRatchets } from './durable-ratchets.ts'

interface Settings {
  /** Our own phone and LID address, once linked. */
  me: () => { id: string; lid?: string } | undefined
  /** Resolves once the message is stored. */
  store: (message: WAMessage, via: 'notify' | 'append') => Promise<void>
}

export interface StoreBeforeReceipt {
  makeSignalRepository: SocketConfig['makeSignalRepository']
  watch(socket: WASocket): void
  /** Whether this message was stored a moment ago: Baileys reports it again once it has confirmed it. */
  isStored(message: Pick<WAMessage, 'key'>): boolean
}

/** Baileys may hold messages back for half a minute after linking; one that is forgotten meanwhile is appended again, which changes nothing. */
const maxStored = 500

const nameOf = ({ remoteJid, id, fromMe }: WAMessage['key']) =>
  `${jidNormalizedUser(remoteJid ?? undefined)} ${fromMe === true} ${id}`

/** The message in decrypted, padded bytes; never throws. */
export const readPadded = (padded: Uint8Array): proto.IMessage => {
  try {
    const message = proto.Message.decode(unpadRandomMax16(padded))
    return message.deviceSentMessage?.message ?? message
  } catch {
    // It was written by its named author, and would be no better the second time.
    return unreadable
  }
}

/**
 * Closes the window in which Baileys has confirmed a message to WhatsApp and emitted no event: the message is stored while it is
 * being decrypted, which is before the receipt. Store and ratchet go together: the new keys are committed only after the
 * message was stored, so a message whose storing was cut short can be decrypted again when WhatsApp repeats it.
 * Decryption is given the ciphertext alone; the stanza around it is found by the identity of those bytes.
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
          // Baileys' own transaction around the ratchet joins this one and commits with it.
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

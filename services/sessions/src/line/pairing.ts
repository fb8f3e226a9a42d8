import type { Instant } from '@prosa/contracts/values/instant'
import { serialQueue } from '@prosa/kernel/async/keyed-queue'
import type { Logger } from '@prosa/kernel/observability/log'
import type { SecretStore } from '@prosa/kernel/privacy/secret-store'
import { type PairingRequests, pairingCodeSecret } from '../connection/pairing-requests.ts'
import type { LineHandle } from '../gateway/gateway.ts'
import type { LineFacts } from './line-facts.ts'

/** A code is valid only on the line that asked for it. */
export interface Pairing {
  /** To be called with every QR code: only then may WhatsApp be asked. */
  ready(line: LineHandle): void
  look(): void
  over(): void
}

export interface PairingDeps {
  connectionId: string
  generation: number
  /** End of the linking attempt; null once there is a number. */
  until: () => Instant | null
  requests: PairingRequests
  secrets: SecretStore
  facts: LineFacts
  log: Logger
}

/** 'ABCD1234' → 'ABCD-1234', as phones show it. */
const readable = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`

export const pairing = ({ connectionId, generation, until, requests, secrets, facts, log }: PairingDeps): Pairing => {
  let line: LineHandle | undefined
  let asked: string | undefined
  let hasFailed = false
  const enqueue = serialQueue()

  const issue = async () => {
    const [askedLine, expiresAt] = [line, until()]
    if (!askedLine || expiresAt === null) return
    const phone = await requests.find(connectionId, expiresAt)
    if (!phone || phone === asked || line !== askedLine) return
    asked = phone
    const code = readable(await askedLine.requestPairingCode(phone))
    await facts.also(async () => {
      if (line === askedLine) await secrets.put(pairingCodeSecret, connectionId, code, expiresAt)
    })
    await facts.connection({ type: 'IssuePairingCode', data: { generation, phone, expiresAt } })
  }

  const look = () => {
    if (!line) return
    enqueue(issue).catch((error) => {
      hasFailed = true
      log.warn({ connectionId, err: error }, 'no pairing code, will request it again with the next QR code')
    })
  }

  return {
    look,
    ready(readyLine) {
      line = readyLine
      if (hasFailed) asked = undefined
      hasFailed = false
      look()
    },
    over() {
      line = undefined
      if (asked === undefined) return
      asked = undefined
      facts
        .also(() => secrets.delete(pairingCodeSecret, connectionId))
        .catch((error) => {
          log.warn({ connectionId, err: error }, 'pairing code not deleted, it expires')
        })
    },
  }
}

import { randomBytes } from 'node:crypto'
import { jidDecode, type proto } from '@whiskeysockets/baileys'
import type { Connection } from '../wire/connection.ts'
import type { HandshakeResult } from '../wire/noise.ts'
import { bytes, child, el, nextId, SERVER, type Stanza, seconds } from '../wire/stanza.ts'

export interface CodeResult {
  bundle: Buffer
  identity: Buffer
}

/** From `companion_hello`: the ephemeral key, encrypted with the code. */
export interface CodeRequest {
  ref: Buffer
  wrappedEphemeral: Buffer
  /** Resolves with the `companion_finish` contents. */
  finished: Promise<CodeResult>
  finish(result: CodeResult): void
  abandon(): void
  answer(identity: Uint8Array, wrappedEphemeral: Buffer): void
}

export interface PairingClient {
  connection: Connection
  noiseKey: Buffer
  info: proto.ClientPayload.IDevicePairingRegistrationData
  codeRequest?: CodeRequest
}

export class PairingDesk {
  readonly #refs = new Map<string, PairingClient>()
  readonly #codes = new Map<string, PairingClient>()

  offer(connection: Connection, { clientStatic, payload }: HandshakeResult, refCount: number) {
    const client: PairingClient = { connection, noiseKey: clientStatic, info: payload.devicePairingData ?? {} }
    const refs = Array.from({ length: refCount }, () => `2@${randomBytes(48).toString('base64')}`)
    for (const ref of refs) this.#refs.set(ref, client)
    connection.on('close', () => this.#leave(client, refs))
    connection.on('stanza', (stanza) => {
      if (stanza.tag !== 'iq') return
      const request = child(stanza, 'link_code_companion_reg')
      const answer = request && this.#onCodeRequest(client, request)
      connection.send(el('iq', { from: SERVER, id: stanza.attrs.id, type: 'result' }, answer))
    })
    const nodes = refs.map((ref) => el('ref', {}, Buffer.from(ref)))
    const pairDevice = el('iq', { from: SERVER, type: 'set', xmlns: 'md' }, [el('pair-device', {}, nodes)])
    connection.request(pairDevice).catch(() => connection.close())
  }

  clientByRef(ref: string): PairingClient | undefined {
    return this.#refs.get(ref)
  }

  clientByNumber(number: string): PairingClient | undefined {
    return this.#codes.get(number)
  }

  /** Passes the phone's credentials to the client and returns its countersignature. */
  offerLink(client: PairingClient, pairSuccess: Stanza): Promise<Stanza> {
    const attrs = { from: SERVER, type: 'set', xmlns: 'md', t: String(seconds()) }
    return client.connection.request(el('iq', attrs, [pairSuccess]))
  }

  #leave(client: PairingClient, refs: string[]) {
    for (const ref of refs) this.#refs.delete(ref)
    client.codeRequest?.abandon()
    for (const [number, waiting] of this.#codes) if (waiting === client) this.#codes.delete(number)
  }

  #onCodeRequest(client: PairingClient, request: Stanza): Stanza[] {
    const { jid = '', stage } = request.attrs
    if (stage !== 'companion_hello') {
      client.codeRequest?.finish({
        bundle: bytes(request, 'link_code_pairing_wrapped_key_bundle'),
        identity: bytes(request, 'companion_identity_public'),
      })
      return []
    }
    const ref = randomBytes(32)
    client.codeRequest = openCodeRequest(client.connection, request, ref)
    this.#codes.set(jidDecode(jid)?.user ?? '', client)
    return [el('link_code_companion_reg', { stage }, [el('link_code_pairing_ref', {}, ref)])]
  }
}

function openCodeRequest(connection: Connection, hello: Stanza, ref: Buffer): CodeRequest {
  let finish: CodeRequest['finish'] = () => undefined
  let abandon: CodeRequest['abandon'] = () => undefined
  const finished = new Promise<CodeResult>((resolve, reject) => {
    finish = resolve
    abandon = () => reject(new Error('the client left'))
  })
  finished.catch(() => undefined)
  const answer: CodeRequest['answer'] = (identity, wrapped) => {
    const attrs = { id: nextId('ntf'), from: SERVER, type: 'link_code_companion_reg', t: String(seconds()) }
    const primaryHello = el('link_code_companion_reg', { stage: 'primary_hello' }, [
      el('link_code_pairing_ref', {}, ref),
      el('primary_identity_pub', {}, Buffer.from(identity)),
      el('link_code_pairing_wrapped_primary_ephemeral_pub', {}, wrapped),
    ])
    connection.send(el('notification', attrs, [primaryHello]))
  }
  const wrappedEphemeral = bytes(hello, 'link_code_pairing_wrapped_companion_ephemeral_pub')
  return { ref, wrappedEphemeral, finished, finish, abandon, answer }
}

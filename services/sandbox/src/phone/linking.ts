import { createHmac } from 'node:crypto'
import { Curve, proto } from '@whiskeysockets/baileys'
import type { Device } from '../server/directory.ts'
import type { PairingClient } from '../server/pairing-desk.ts'
import { bytes, child, el, type Stanza, seconds } from '../wire/stanza.ts'
import { isSignedBy } from '../wire/trust.ts'
import type { Network, OwnPhone } from './own-phone.ts'
import { completeCodePairing } from './pairing-code.ts'

const ACCOUNT_SIGNATURE_PREFIX = Buffer.from([6, 0])
const DEVICE_SIGNATURE_PREFIX = Buffer.from([6, 1])

/** No client of this server shows the QR code. */
export class UnusableQrCode extends Error {}

export async function linkByQrCode(server: Network, phone: OwnPhone, qr: string): Promise<Device> {
  const [ref = '', noiseKey, identityKey, secret] = qr
    .trim()
    .replace(/^https:\/\/[^#]*#/, '')
    .split(',')
  const client = server.pairing.clientByRef(ref)
  if (!client || !noiseKey || !identityKey || !secret) {
    throw new UnusableQrCode('this QR code has expired or is not one of ours')
  }
  if (!client.noiseKey.equals(Buffer.from(noiseKey, 'base64'))) {
    throw new UnusableQrCode('QR code and connection disagree about the noise key')
  }
  return vouchFor(server, phone, client, Buffer.from(identityKey, 'base64'), Buffer.from(secret, 'base64'))
}

/** No client waits for this number and code. */
export class UnusableCode extends Error {}

export async function linkByCode(server: Network, phone: OwnPhone, code: string): Promise<Device> {
  const client = server.pairing.clientByNumber(phone.number)
  if (!client?.codeRequest) throw new UnusableCode('no client asked to be linked with this number')
  const { identity } = phone.signal
  const typed = code.replace(/[^0-9a-z]/gi, '').toUpperCase()
  const paired = await completeCodePairing(client.codeRequest, typed, identity).catch((cause: unknown) => {
    throw new UnusableCode('the pairing code is wrong, or the client gave up', { cause })
  })
  return vouchFor(server, phone, client, paired.companionIdentity, paired.advSecret)
}

async function vouchFor(
  server: Network,
  phone: OwnPhone,
  client: PairingClient,
  companionIdentity: Buffer,
  advSecret: Buffer,
): Promise<Device> {
  const { account, signal } = phone
  const device = account.addDevice()
  const details = proto.ADVDeviceIdentity.encode({ rawId: 1, timestamp: seconds(), keyIndex: device.id }).finish()
  try {
    const offer = pairSuccess(phone, device, details, companionIdentity, advSecret)
    const reply = await server.pairing.offerLink(client, offer)
    const answer = bytes(child(reply, 'pair-device-sign'), 'device-identity')
    const { deviceSignature } = proto.ADVSignedDeviceIdentity.decode(answer)
    const statement = Buffer.concat([DEVICE_SIGNATURE_PREFIX, details, companionIdentity, signal.identity.public])
    if (!isSignedBy(companionIdentity, statement, deviceSignature ?? Buffer.alloc(0))) {
      throw new Error('companion signed its device identity wrongly')
    }
  } catch (error) {
    account.removeDevice(device.id)
    throw error
  }
  server.completeLink(client, device)
  return device
}

function pairSuccess(
  { signal: { identity } }: OwnPhone,
  device: Device,
  details: Uint8Array,
  companionIdentity: Buffer,
  advSecret: Buffer,
): Stanza {
  const statement = Buffer.concat([ACCOUNT_SIGNATURE_PREFIX, details, companionIdentity])
  const accountSignature = Curve.sign(identity.private, statement)
  const signed = proto.ADVSignedDeviceIdentity.encode({
    details,
    accountSignatureKey: identity.public,
    accountSignature,
  }).finish()
  const hmac = createHmac('sha256', advSecret).update(signed).digest()
  const envelope = proto.ADVSignedDeviceIdentityHMAC.encode({ details: signed, hmac }).finish()
  return el('pair-success', {}, [
    el('device-identity', {}, Buffer.from(envelope)),
    el('device', { jid: device.jid('pn'), lid: device.jid('lid') }),
    el('platform', { name: 'android' }),
  ])
}

import type { proto } from '@whiskeysockets/baileys'
import type { Phone } from '../phone/phone.ts'
import type { SandboxServer } from '../server/server.ts'
import type { Network, NetworkPhone, Picture, ReceivedMessage } from './network.ts'

export function networkHere(server: SandboxServer): Network {
  const phones: Phone[] = []
  const listeners: ((number: string, message: ReceivedMessage) => void)[] = []
  const stored = new Map<Picture, Promise<proto.IMessage>>()

  const withCaption = async (phone: Phone, picture: Picture, caption: string): Promise<proto.IMessage> => {
    const details = { mimetype: picture.mediaType }
    const attachment = stored.get(picture) ?? phone.attach('image', picture.bytes, details)
    stored.set(picture, attachment)
    return { imageMessage: { ...(await attachment).imageMessage, caption } }
  }

  return {
    async addPhone(number, name): Promise<NetworkPhone> {
      const phone = server.addPhone(number, name)
      phones.push(phone)
      phone.on('message', ({ from, text }) => {
        if (from !== number) for (const received of listeners) received(number, { from, text })
      })
      return {
        number,
        scan: (qr) => phone.scan(qr),
        sendText: (to, text) => phone.sendText(to, text),
        sendPicture: async (to, picture, caption) =>
          phone.send(to, await withCaption(phone, picture, caption), { type: 'media' }),
      }
    },
    async listen(received) {
      listeners.push(received)
    },
    async close() {
      for (const phone of phones) server.removePhone(phone)
    },
  }
}

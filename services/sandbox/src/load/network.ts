import type { FileKind } from '@prosa/contracts/http/simulator'

export interface ReceivedMessage {
  from: string
  text: string
}

export interface Picture {
  kind: FileKind
  bytes: Buffer
  mediaType: string
}

export interface NetworkPhone {
  number: string
  scan(qr: string): Promise<unknown>
  sendText(to: string, text: string): Promise<unknown>
  sendPicture(to: string, picture: Picture, caption: string): Promise<unknown>
}

export interface Network {
  addPhone(number: string, name: string): Promise<NetworkPhone>
  listen(received: (number: string, message: ReceivedMessage) => void): Promise<void>
  close(): Promise<void>
}

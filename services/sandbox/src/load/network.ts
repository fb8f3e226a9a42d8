/** What the load driver and the demo need of simulated phones, in this process or behind the control API. */
import type { FileKind } from '@prosa/contracts/http/simulator'

export interface ReceivedMessage {
  /** The number of who wrote it. */
  from: string
  /** Text or caption. */
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
  /** Calls `received` for every message that reaches a phone from somebody else, with the phone's number. */
  listen(received: (number: string, message: ReceivedMessage) => void): Promise<void>
  close(): Promise<void>
}

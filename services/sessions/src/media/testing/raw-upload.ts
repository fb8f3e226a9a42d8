import { once } from 'node:events'
import { connect } from 'node:net'
import { until } from '@prosa/kernel/testing/until'
import type { MediaDesk } from './media-desk.ts'

export interface RawUpload {
  /** Status line, headers and body; '' at first. */
  answer(): string
  status(): Promise<number>
  send(bytes: Buffer): void
  cut(): void
  isOpen(): boolean
}

/** `length` undefined: chunked. */
export const rawUpload = async (desk: MediaDesk, user: string, length: number | undefined): Promise<RawUpload> => {
  const { port } = new URL(desk.url('/'))
  const cookie = await desk.cookieOf(user)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  let answered = ''
  socket.on('data', (data) => {
    answered += data.toString('latin1')
  })
  // A refusing server may close the connection during the body.
  socket.on('error', () => undefined)
  const head = [
    'POST /api/whatsapp/media HTTP/1.1',
    'host: localhost',
    `cookie: ${cookie}`,
    'sec-fetch-site: same-origin',
    'content-type: application/octet-stream',
    length === undefined ? 'transfer-encoding: chunked' : `content-length: ${length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  return {
    answer: () => answered,
    status: async () => Number(await until(() => /^HTTP\/1.1 (\d{3})/.exec(answered)?.[1])),
    send: (bytes) => {
      if (length !== undefined) return void socket.write(bytes)
      socket.write(`${bytes.length.toString(16)}\r\n`)
      socket.write(bytes)
      socket.write('\r\n')
    },
    cut: () => void socket.destroy(),
    isOpen: () => !socket.destroyed,
  }
}

import { once } from 'node:events'
import { connect } from 'node:net'
import { until } from '@prosa/kernel/testing/until'
import type { MediaDesk } from './media-desk.ts'

/** An upload whose body is sent when the test wants it. */
export interface RawUpload {
  /** The status line, headers and body so far; '' before anything was answered. */
  answer(): string
  /** The status once there is one. */
  status(): Promise<number>
  send(bytes: Buffer): void
  cut(): void
  /** False once the server has closed its connection. */
  isOpen(): boolean
}

/** Sends the head of an upload over a connection of its own; `length` undefined: in chunks, without Content-Length. */
export const rawUpload = async (desk: MediaDesk, user: string, length: number | undefined): Promise<RawUpload> => {
  const { port } = new URL(desk.url('/'))
  const cookie = await desk.cookieOf(user)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  let answered = ''
  socket.on('data', (data) => {
    answered += data.toString('latin1')
  })
  // Who refuses may cut the connection while the body is still being sent.
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

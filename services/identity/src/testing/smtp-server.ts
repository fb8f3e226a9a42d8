import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

export interface ReceivedMail {
  to: string[]
  subject: string
  /** Headers and bodies, decoded. */
  words: string
}

export interface SmtpServer {
  url: string
  received: readonly ReceivedMail[]
  /** E.g. `450 try later`. */
  refusals: string[]
  /** After the mail, before its confirmation. */
  cutsAfterData: number
  close(): Promise<void>
}

const decoded = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

/** RFC 5321 without TLS and authentication, on loopback. */
export const smtpServer = async (): Promise<SmtpServer> => {
  const received: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const state = { refusals: [] as string[], cutsAfterData: 0 }

  const serve = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    const send = (line: string) => socket.write(`${line}\r\n`)
    let buffer = ''
    let isData = false
    let to: string[] = []

    const take = (raw: string) => {
      const words = decoded(raw)
      received.push({ to, subject: /^Subject: (.*)$/m.exec(words)?.[1]?.trim() ?? '', words })
      if (state.cutsAfterData > 0) {
        state.cutsAfterData--
        socket.destroy()
      } else send('250 taken')
    }
    const obey = (line: string) => {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'EHLO' || verb === 'HELO') return send('250 loopback')
      if (verb === 'MAIL') {
        to = []
        return send('250 yes')
      }
      if (verb === 'RCPT') {
        to.push(/<(.*)>/.exec(line)?.[1] ?? '')
        return send(state.refusals.shift() ?? '250 yes')
      }
      if (verb === 'DATA') {
        isData = true
        return send('354 go on')
      }
      if (verb === 'QUIT') return socket.end('221 bye\r\n')
      return send('502 what?')
    }

    send('220 loopback')
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      buffer += chunk
      for (;;) {
        const end = isData ? '\r\n.\r\n' : '\r\n'
        const at = buffer.indexOf(end)
        if (at < 0) return
        const part = buffer.slice(0, at)
        buffer = buffer.slice(at + end.length)
        if (isData) {
          isData = false
          take(part)
        } else obey(part)
      }
    })
  }

  const server = createServer(serve).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  return Object.assign(state, {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  })
}

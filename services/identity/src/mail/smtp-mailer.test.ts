import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { EffectNotMade } from '@prosa/kernel/consumers/engine/effect-once'
import { afterEach, describe, expect, it } from 'vitest'
import { smtpMailer } from './smtp-mailer.ts'

const mail = { to: 'a@example.com', subject: 'Oi', text: 'oi', html: '<p>oi</p>', messageId: '<1@example.com>' }
const greeting = '220 loopback\r\n'

let close: () => Promise<void>
afterEach(() => close())

const sentTo = async (serve: (socket: Socket) => void): Promise<unknown> => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => socket.destroy()))
    serve(socket)
  })
  close = async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  const mailer = smtpMailer({
    url: `smtp://127.0.0.1:${address.port}`,
    from: 'Prosa <b@example.com>',
    timeoutMs: 300,
  })
  return mailer.send(mail).catch((error: unknown) => error)
}

/** Accepts everything before this step, then runs `end`. */
const obeysUntil = (word: 'EHLO' | 'RCPT' | 'DATA' | 'the mail', end: (socket: Socket) => void) => (socket: Socket) => {
  socket.write(greeting)
  let isMail = false
  socket.on('data', (chunk) => {
    const line = String(chunk)
    if (isMail || line.startsWith(word)) return end(socket)
    isMail = line.startsWith('DATA')
    socket.write(isMail ? '354 go on\r\n' : '250 yes\r\n')
  })
}
const leave = (socket: Socket) => void socket.end()
const fallSilent = () => undefined

describe('a mail server', () => {
  it.each([
    ['that sends nothing', fallSilent],
    ['that closes before it greets', leave],
    ['that is cut off before it greets', (socket: Socket) => void socket.resetAndDestroy()],
    ['that greets with a no', (socket: Socket) => void socket.end('421 too many\r\n')],
    ['that closes when it is greeted', obeysUntil('EHLO', leave)],
    ['that falls silent when it is greeted', obeysUntil('EHLO', fallSilent)],
    ['that closes when it is given the recipient', obeysUntil('RCPT', leave)],
    ['that closes before it wants the mail', obeysUntil('DATA', leave)],
  ])('surely did not take the mail: one %s', async (_, serve) => {
    expect(await sentTo(serve)).toBeInstanceOf(EffectNotMade)
  })

  it.each([
    ['closes', leave],
    ['falls silent', fallSilent],
  ])('may have taken it when it %s with the mail in hand', async (_, end) => {
    const error = await sentTo(obeysUntil('the mail', end))
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(EffectNotMade)
  })

  it('surely did not take the mail that it refused after it had read it', async () => {
    expect(await sentTo(obeysUntil('the mail', (socket) => void socket.write('554 no\r\n')))).toBeInstanceOf(
      EffectNotMade,
    )
  })
})

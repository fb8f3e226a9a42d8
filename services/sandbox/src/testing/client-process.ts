/** A client that knows only a URL. Arguments: URL, folder, mode. */
import { quietLibsignal } from '@prosa/product/quiet-libsignal'
import { LinkedNumber } from './linked-number.ts'

quietLibsignal()
const [, , url = '', folder = '', mode] = process.argv
const report = (event: string, data: unknown = null) => process.stdout.write(`@@${JSON.stringify({ event, data })}\n`)
const number = new LinkedNumber(url, folder)
number.on('qr', (qr) => report('qr', qr))
number.on('open', () => report('open'))
number.on('upsert', async ({ message: { key, message } }) => {
  const text = message?.conversation
  if (key.fromMe || !text) return
  if (mode === 'crash') process.kill(process.pid, 'SIGKILL')
  report('text', text)
  const document = Buffer.from(`recebi: ${text}`)
  await number.socket.sendMessage(key.remoteJid ?? '', { document, mimetype: 'text/plain', fileName: 'eco.txt' })
})
await number.start()

import { describe, expect, it } from 'vitest'
import { ForeignWebSocketAddress, webSocketAddress } from './web-socket-address.ts'

const whatsapp = 'wss://web.whatsapp.com/ws/chat'
const loopback = [
  'ws://127.0.0.1:46453/ws/chat',
  'ws://localhost:46453/ws/chat',
  'ws://[::1]:46453/ws/chat',
  'ws://LOCALHOST:1/ws',
  // Other spellings of 127.0.0.1.
  'ws://2130706433/ws',
  'ws://0x7f.1/ws',
]
const foreign = [
  '',
  'nonsense',
  '/ws/chat',
  'ws://web.whatsapp.com/ws/chat',
  'wss://web.whatsapp.com:8443/ws/chat',
  'wss://web.whatsapp.com.evil.com/ws/chat',
  'wss://evil.com/web.whatsapp.com',
  'wss://web.whatsapp.com@evil.com/ws/chat',
  'wss://user:secret@web.whatsapp.com/ws/chat',
  'wss://evil.com#web.whatsapp.com',
  'wss://web.whatsapp.com/ws/chat#@evil.com',
  'wss://web.whatsapp.com\\@evil.com/',
  'wss://evil.com\\web.whatsapp.com/',
  'wss://web.whatsapp.com./ws/chat',
  'wss://xn--web-whatsapp-com.evil.com/',
  'https://web.whatsapp.com/ws/chat',
  'ws://localhost.evil.com/ws/chat',
  'ws://127.0.0.1.evil.com/ws/chat',
  'ws://localhost@evil.com/ws/chat',
  'ws://evil.com@localhost/ws/chat',
  'ws://127.0.0.1@evil.com:80/ws',
  'ws://0.0.0.0:3000/ws/chat',
  'ws://10.0.0.1/ws/chat',
  'ws://192.168.0.10/ws/chat',
  'ws://169.254.169.254/latest/meta-data',
  'ws://[::ffff:10.0.0.1]/ws',
  'ws://[::]/ws',
  'wss://localhost/ws/chat',
  'http://localhost/ws/chat',
  'file:///etc/passwd',
]

describe('the address of WhatsApp', () => {
  it('is its own, in production and outside', () => {
    for (const production of [true, false]) expect(webSocketAddress(whatsapp, { production }).href).toBe(whatsapp)
  })

  it.each(loopback)('may be %s outside production only', (address) => {
    expect(['127.0.0.1', 'localhost', '[::1]']).toContain(webSocketAddress(address, { production: false }).hostname)
    expect(() => webSocketAddress(address, { production: true })).toThrow(ForeignWebSocketAddress)
  })

  it.each(foreign)('is never %s', (address) => {
    for (const production of [true, false])
      expect(() => webSocketAddress(address, { production })).toThrow(ForeignWebSocketAddress)
  })

  it('is not repeated in the refusal, as it may hold a password', () => {
    expect(() => webSocketAddress('wss://user:secret@evil.com', { production: false })).toThrow(/^(?!.*secret)/)
  })
})

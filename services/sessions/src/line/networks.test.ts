import { networkNames, networksOf } from '@prosa/product/process/networks'
import { describe, expect, it } from 'vitest'
import { ForeignWebSocketAddress } from '../gateway/web-socket-address.ts'
import { networkAddresses } from './networks.ts'

const real = 'wss://web.whatsapp.com/ws/chat'
const loopback = 'ws://127.0.0.1:4000/ws/chat'

describe('the networks that connections may link to', () => {
  it('are WhatsApp alone in production', () => {
    expect(networkNames(networksOf(undefined, undefined))).toEqual(['whatsapp'])
    expect([...networkAddresses(networksOf(undefined, undefined), true)]).toEqual([['whatsapp', undefined]])
  })

  it('are the simulator and WhatsApp in development, and the simulator where none is named', () => {
    expect(networkNames(networksOf(undefined, loopback))).toEqual(['simulator', 'whatsapp'])
  })

  it('are only the one whose address is set', () => {
    expect(networkNames(networksOf(loopback, 'ws://127.0.0.1:5000/'))).toEqual(['simulator'])
    expect(networkNames(networksOf(real, loopback))).toEqual(['whatsapp'])
  })

  it('have no address that is somebody else’s, and none on this machine in production', () => {
    expect(networkAddresses(networksOf(loopback, undefined), false).get('simulator')?.href).toBe(loopback)
    for (const [address, production] of [
      [loopback, true],
      ['ws://10.0.0.1/', false],
      ['nonsense', false],
    ] as const)
      expect(() => networkAddresses(networksOf(address, undefined), production)).toThrow(ForeignWebSocketAddress)
  })
})

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  isPublicAddress,
  namesForbiddenAddress,
  OutboundFailed,
  type OutboundRequest,
  outbound,
  type Resolve,
  resolveByDns,
} from './outbound.ts'

const forbidden = [
  // Loopback, also written otherwise and mapped.
  ...['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '0.0.0.0', '::'],
  // Private, link-local with the metadata of clouds, CGNAT.
  ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '100.127.255.255'],
  ...['fd00::1', 'fc00::1', 'fe80::1', 'fec0::1', 'fd00:ec2::254', '::ffff:169.254.169.254', '::ffff:10.0.0.1'],
  // Tunnels that lead to IPv4: 6to4, Teredo, NAT64.
  ...['2002:7f00:1::', '2002:a00:1::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '64:ff9b::7f00:1', '64:ff9b:1::1'],
  // Documentation, benchmarks, reserved, multicast, broadcast, and no address at all.
  ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '192.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['224.0.0.1', 'ff02::1', '2001:db8::1', '100::1', '', 'localhost', '1.2.3', 'fe80::1%eth0'],
]
const allowed = ['8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '100.63.0.1', '100.128.0.1', '2606:4700:4700::1111']

describe('public addresses', () => {
  it.each(forbidden)('are not: %s', (address) => expect(isPublicAddress(address)).toBe(false))
  it.each(allowed)('are: %s', (address) => expect(isPublicAddress(address)).toBe(true))
})

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const serverWith = async (answer: Answer): Promise<{ port: number; server: Server; requests: IncomingMessage[] }> => {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return { port: (server.address() as AddressInfo).port, server, requests }
}

const to = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  ...{
    method: 'POST',
    url,
    headers: { 'content-type': 'text/plain' },
    body: 'oi',
    timeoutMs: 3000,
    maxBytes: 64 * 1024,
  },
  ...more,
})
const resolvesTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses
const faultOf = async (sending: Promise<unknown>) => {
  const error = await sending.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error !== undefined && !(error instanceof OutboundFailed)) throw error
  return error?.fault
}

describe('a request to an address that a user chose', () => {
  it.each([
    ...['http://127.0.0.1', 'http://2130706433', 'http://0x7f.1', 'http://017700000001', 'http://127.1'],
    ...[
      'http://[::1]',
      'http://[::ffff:127.0.0.1]',
      'https://169.254.169.254/latest/meta-data',
      'http://[fd00:ec2::254]',
    ],
    'http://10.0.0.1',
    'http://0',
  ])('goes nowhere private by its own spelling: %s', async (url) => {
    expect(await faultOf(outbound()(to(url)))).toBe('not_allowed')
    expect(namesForbiddenAddress(new URL(url), 'public')).toBe(true)
  })

  it.each([
    [['127.0.0.1']],
    [['10.1.2.3']],
    [['169.254.169.254']],
    [['100.64.1.1']],
    [['fe80::1']],
    [['::ffff:192.168.0.1']],
    // One good address does not excuse the other.
    [['8.8.8.8', '127.0.0.1']],
  ])('goes nowhere private by what its name leads to: %s', async (addresses) => {
    const { port, requests } = await serverWith((_, response) => response.end())
    const send = outbound({ resolve: resolvesTo(...addresses) })
    expect(await faultOf(send(to(`http://example.com:${port}`)))).toBe('not_allowed')
    expect(requests).toEqual([])
  })

  it('goes to the address that was checked, though the name leads elsewhere the next time', async () => {
    const { port, requests } = await serverWith((_, response) => response.end('ok'))
    let asked = 0
    // Public reach: the first answer is private, the second would be the rebound one.
    const rebinding: Resolve = async () => (asked++ === 0 ? ['127.0.0.1'] : ['10.0.0.1'])
    const { status } = await outbound({ reach: 'loopback too', resolve: rebinding })(
      to(`http://rebinding.test:${port}`),
    )
    expect([status, asked, requests.length]).toEqual([200, 1, 1])
    expect(requests[0]?.headers.host).toBe(`rebinding.test:${port}`)
  })

  it('looks the name up again for each request', async () => {
    const { port, requests } = await serverWith((_, response) => response.end('ok'))
    const answers = ['127.0.0.1', '10.0.0.1']
    const send = outbound({ reach: 'loopback too', resolve: async () => [answers.shift() ?? ''] })
    expect(await faultOf(send(to(`http://rebinding.test:${port}`)))).toBeUndefined()
    expect(await faultOf(send(to(`http://rebinding.test:${port}`)))).toBe('not_allowed')
    expect(requests).toHaveLength(1)
  })

  it('follows no redirect', async () => {
    const inner = await serverWith((_, response) => response.end('segredo'))
    const { port } = await serverWith((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${inner.port}/` }).end(),
    )
    const { status } = await outbound({ reach: 'loopback too' })(to(`http://127.0.0.1:${port}`))
    expect([status, inner.requests.length]).toEqual([302, 0])
  })

  it('reads no more of an answer than it may', async () => {
    const { port } = await serverWith((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, 'x')));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    const { status, body } = await outbound({ reach: 'loopback too' })(
      to(`http://127.0.0.1:${port}`, { maxBytes: 1000 }),
    )
    expect([status, body.toString()]).toEqual([200, 'x'.repeat(1000)])
  })

  it('ends in time, whatever does not come: the name, the connection’s answer, its end', async () => {
    const silent = await serverWith(() => undefined)
    const dripping = await serverWith((_, response) => {
      const timer = setInterval(() => response.write('.'), 10)
      response.on('close', () => clearInterval(timer))
    })
    const never: Resolve = () => new Promise(() => undefined)
    const send = outbound({ reach: 'loopback too', resolve: never })
    for (const url of ['http://slow.test', `http://127.0.0.1:${silent.port}`, `http://127.0.0.1:${dripping.port}`])
      expect(await faultOf(send(to(url, { timeoutMs: 200 })))).toBe('timeout')
  })

  it('says what went wrong', async () => {
    const closed = createTcpServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    closed.close()
    await once(closed, 'close')
    const send = outbound({ reach: 'loopback too', resolve: async () => [] })
    expect(await faultOf(send(to(`http://127.0.0.1:${port}`)))).toBe('refused')
    expect(await faultOf(send(to('http://nobody.test')))).toBe('unknown_host')
    const rude = await serverWith((request) => request.socket.destroy())
    expect(await faultOf(send(to(`http://127.0.0.1:${rude.port}`)))).toBe('broken')
    const plain = await serverWith((_, response) => response.end())
    expect(await faultOf(send(to(`https://127.0.0.1:${plain.port}`)))).toBe('tls')
    expect(await faultOf(send(to('ftp://127.0.0.1')))).toBe('not_allowed')
  })

  it('finds names by DNS, of both families, and says which one nobody knows', async () => {
    const records: Record<string, Buffer> = {
      '1': Buffer.from([127, 0, 0, 1]),
      '28': Buffer.from('00000000000000000000000000000001', 'hex'),
    }
    const dns = createSocket('udp4', (query, { port, address }) => {
      const end = query.indexOf(0, 12) + 5
      const record = query.includes('known') ? records[String(query.readUInt16BE(end - 4))] : undefined
      const head = Buffer.concat([
        query.subarray(0, 2),
        Buffer.from(record ? '8180000100010000' : '8183000100000000', 'hex'),
      ])
      const answer = record
        ? [
            Buffer.from('c00c', 'hex'),
            query.subarray(end - 4, end),
            Buffer.from([0, 0, 0, 9, 0, record.length]),
            record,
          ]
        : []
      dns.send(Buffer.concat([head, Buffer.alloc(2), query.subarray(12, end), ...answer]), port, address)
    })
    dns.bind(0, '127.0.0.1')
    await once(dns, 'listening')
    closing.push(async () => dns.close())
    const resolve = resolveByDns([`127.0.0.1:${dns.address().port}`])
    expect(await resolve('known.test')).toEqual(['127.0.0.1', '::1'])
    expect(await resolve('nobody.test')).toEqual([])
    expect(await faultOf(outbound({ resolve })(to('https://known.test')))).toBe('not_allowed')
    expect(await faultOf(outbound({ resolve })(to('https://nobody.test')))).toBe('unknown_host')
  })
})

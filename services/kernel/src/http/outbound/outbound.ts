import { Resolver } from 'node:dns/promises'
import * as http from 'node:http'
import * as https from 'node:https'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LoggableError } from '../../loggable-error.ts'

/** Of IPv6 only this is given out (RFC 4291, 2.5.4); what `ipaddr.js` does not know of the rest is no address of a server either. */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/** `ipaddr.js` alone takes '1.2.3' too. */
const parsed = (address: string) => (isIP(address) === 0 ? undefined : ipaddr.parse(address))

/** On the public internet: not loopback, private, link-local (metadata of clouds), CGNAT, mapped, tunnelled, reserved or multicast. */
export const isPublicAddress = (address: string): boolean => {
  const ip = parsed(address)
  if (ip?.range() !== 'unicast') return false
  return ip instanceof ipaddr.IPv4 || ip.match(globalUnicast)
}

const isLoopbackAddress = (address: string): boolean => parsed(address)?.range() === 'loopback'

/** `loopback too` is for development and tests: `readConfig` refuses it in production. */
export type Reach = 'public' | 'loopback too'

type OutboundFault = 'timeout' | 'unknown_host' | 'not_allowed' | 'refused' | 'tls' | 'broken'

/** Names no address. */
export class OutboundFailed extends LoggableError {
  override name = 'OutboundFailed'
  readonly fault: OutboundFault
  constructor(fault: OutboundFault, options?: ErrorOptions) {
    super(`the request got no answer: ${fault}`, options)
    this.fault = fault
  }
}

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** http or https. */
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** From the look-up of the name to the last byte. */
  timeoutMs: number
  /** Of the answer; the rest is not read. */
  maxBytes: number
}

interface OutboundReply {
  /** Redirects too: none is followed. */
  status: number
  headers: http.IncomingHttpHeaders
  /** At most `maxBytes`. */
  body: Buffer
}

/** To addresses that users choose. Throws `OutboundFailed`. */
export type SendOutbound = (request: OutboundRequest) => Promise<OutboundReply>

/** IP addresses of a name, at least one, or it throws. */
export type Resolve = (hostname: string) => Promise<string[]>

/** `servers`: `host:port`, by default those of the machine. Not by `dns.lookup`, which blocks a thread of the process for each slow name; nor by the names of the local network. */
export const resolveByDns =
  (servers?: readonly string[]): Resolve =>
  async (hostname) => {
    const resolver = new Resolver({ timeout: 2000, tries: 2 })
    if (servers) resolver.setServers(servers)
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  }

const isAllowedFor = (reach: Reach) => (address: string) =>
  isPublicAddress(address) || (reach === 'loopback too' && isLoopbackAddress(address))

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

/** Whether a URL names an IP address that may not be reached. Of a name only its look-up can tell, at each request. */
export const namesForbiddenAddress = (url: URL, reach: Reach): boolean => {
  const host = hostOf(url)
  if (isIP(host) !== 0) return !isAllowedFor(reach)(host)
  return reach === 'public' && /(^|\.)localhost\.?$/.test(host)
}

const tlsCode = /CERT|TLS|SSL|SIGNATURE|ISSUER|EPROTO/

const faultOf = (error: unknown): OutboundFault => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ECONNREFUSED') return 'refused'
  if (code === 'ETIMEDOUT') return 'timeout'
  return tlsCode.test(code) ? 'tls' : 'broken'
}

const rejectOn = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

interface Address {
  address: string
  family: number
}

/** The connection goes to these addresses: the name is not looked up again. */
const lookupOf = (addresses: readonly Address[]): http.RequestOptions['lookup'] => {
  const [first] = addresses
  return (_, { all }, callback) => {
    if (all) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }
}

const readUpTo = async (response: http.IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of response) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes >= maxBytes) break
  }
  return Buffer.concat(pieces).subarray(0, maxBytes)
}

const exchange = (
  url: URL,
  { method, headers, body, maxBytes }: OutboundRequest,
  addresses: readonly Address[],
  signal: AbortSignal,
) =>
  new Promise<OutboundReply>((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http
    const options = { method, headers, signal, agent: false, lookup: lookupOf(addresses) }
    request(url, options)
      .on('response', (response) => {
        const { statusCode: status = 0, headers: answered } = response
        readUpTo(response, maxBytes).then((read) => resolve({ status, headers: answered, body: read }), reject)
      })
      .on('error', reject)
      // A string would make bytes of UTF-8 of the headers, too.
      .end(body === undefined ? undefined : Buffer.from(body))
  })

interface OutboundOptions {
  reach?: Reach
  /** By DNS. */
  resolve?: Resolve
}

/**
 * A name is looked up once, each of its addresses is checked, and the connection goes to one of them, so that a name that answers otherwise the
 * next time leads nowhere else.
 */
export const outbound = ({ reach = 'public', resolve = resolveByDns() }: OutboundOptions = {}): SendOutbound => {
  const isAllowed = isAllowedFor(reach)
  const addressesOf = async (host: string): Promise<Address[]> => {
    const found = isIP(host) === 0 ? await resolve(host) : [host]
    if (found.length === 0) throw new OutboundFailed('unknown_host')
    if (!found.every(isAllowed)) throw new OutboundFailed('not_allowed')
    return found.map((address) => ({ address, family: isIP(address) }))
  }
  return async (asked) => {
    const url = new URL(asked.url)
    if (!/^https?:$/.test(url.protocol)) throw new OutboundFailed('not_allowed')
    const timeout = AbortSignal.timeout(asked.timeoutMs)
    try {
      const answered = addressesOf(hostOf(url)).then((addresses) => exchange(url, asked, addresses, timeout))
      return await Promise.race([answered, rejectOn(timeout)])
    } catch (error) {
      if (error instanceof OutboundFailed) throw error
      if (timeout.aborted) throw new OutboundFailed('timeout', { cause: error })
      throw new OutboundFailed(faultOf(error), { cause: error })
    }
  }
}

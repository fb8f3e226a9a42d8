import type { Connection } from '@prosa/contracts/http/connections'
import type { Contact, Message, ServiceStatus } from '@prosa/contracts/http/live-chat'
import type { MessageAccepted } from '@prosa/contracts/http/messages'
import { cursorHeader, positionHeader } from '@prosa/contracts/http/problem'
import type { ClientToServer, ServerToClient } from '@prosa/contracts/realtime'
import { termsWritten } from '@prosa/contracts/values/terms'
import { until } from '@prosa/kernel/testing/until'
import { readQrCode } from '@prosa/sessions/testing/read-qr-code'
import { io, type Socket } from 'socket.io-client'

export interface Reply<T = unknown> {
  status: number
  headers: Headers
  body: T
}

let people = 0

/** A user of the API: keeps the cookie and reads its own writes, like the web app. */
export class Visitor {
  readonly email = `pessoa${process.pid}-${++people}@example.com`
  readonly password = 'uma senha comprida'
  url: string
  cookie: string | undefined
  #position: string | undefined

  constructor(url: string) {
    this.url = url
  }

  /** Bytes are sent raw, other bodies as JSON. States a purpose if asked. */
  async ask<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply<T>> {
    const reply = await this.askOnce<T>(method, path, body, headers)
    if (reply.status !== 428) return reply
    const { tenantId } = reply.body as { tenantId: string | null }
    await this.post('/api/admin/reading-purposes', { tenantId, purpose: 'support' })
    return this.askOnce<T>(method, path, body, headers)
  }

  async askOnce<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply<T>> {
    const bytes = body instanceof Uint8Array ? new Uint8Array(body) : undefined
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }),
        ...(this.cookie ? { cookie: this.cookie } : {}),
        ...(method === 'GET' && this.#position ? { [positionHeader]: this.#position } : {}),
      },
      body: bytes ?? (body === undefined ? undefined : JSON.stringify(body)),
      signal: AbortSignal.timeout(15_000),
    })
    const [cookie] = response.headers.getSetCookie()
    if (cookie) this.cookie = cookie.split(';')[0]
    this.#position = response.headers.get(positionHeader) ?? this.#position
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: (/[/+]json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text) as T,
    }
  }

  async get<T>(path: string): Promise<T> {
    return this.#success<T>('GET', path)
  }

  async all<T>(path: string): Promise<T[]> {
    const found: T[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Reply<T[]> = await this.ask<T[]>(
        'GET',
        cursor ? `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}` : path,
      )
      if (page.status !== 200) throw new Error(`GET ${path}: ${page.status}`)
      found.push(...page.body)
      cursor = page.headers.get(cursorHeader)
    }
    return found
  }

  async post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.#success<T>('POST', path, body)
  }

  async bytes(path: string): Promise<Uint8Array> {
    const headers: Record<string, string> = this.cookie ? { cookie: this.cookie } : {}
    const response = await fetch(this.url + path, { headers, signal: AbortSignal.timeout(15_000) })
    if (!response.ok) throw new Error(`GET ${path}: ${response.status}`)
    return new Uint8Array(await response.arrayBuffer())
  }

  async #success<T>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await this.ask<T>(method, path, body)
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }

  /** With the terms of use accepted, as in a browser. */
  async register({ acceptedTerms = termsWritten }: { acceptedTerms?: string | null } = {}): Promise<this> {
    const { email, password } = this
    const person = { firstName: 'Marina', lastName: 'Alves', email, password }
    await this.post('/api/auth/register', { ...person, ...(acceptedTerms && { acceptedTerms }) })
    return this
  }

  connections(): Promise<Connection[]> {
    return this.get('/api/whatsapp/connections')
  }

  async link(
    phone: { scan(qr: string): Promise<unknown> },
    name = 'Loja',
    network?: Connection['network'],
  ): Promise<Connection> {
    const { id } = await this.post<{ id: string }>('/api/whatsapp/connections', { name, network })
    const find = async () => (await this.connections()).find((each) => each.id === id)
    const image = await until(async () => (await find())?.qrCode)
    await phone.scan(readQrCode(image))
    return until(async () => {
      const connection = await find()
      return connection?.status === 'connected' && connection
    })
  }

  contacts(status: ServiceStatus): Promise<Contact[]> {
    return this.get(`/api/whatsapp/contacts?status=${status}`)
  }

  messages(contactId: string): Promise<Message[]> {
    return this.get(`/api/whatsapp/contacts/${contactId}/messages`)
  }

  send(connectionId: string, contactId: string, message: string, messageId?: string): Promise<MessageAccepted> {
    return this.post('/api/whatsapp/send-message', { connectionId, contactId, message, messageId })
  }

  socket(options: { cookie?: string; origin?: string } = {}): Socket<ServerToClient, ClientToServer> {
    const cookie = options.cookie ?? this.cookie
    return io(this.url, {
      path: '/socket.io',
      forceNew: true,
      reconnectionDelay: 50,
      extraHeaders: { ...(cookie ? { cookie } : {}), ...(options.origin ? { origin: options.origin } : {}) },
    })
  }
}

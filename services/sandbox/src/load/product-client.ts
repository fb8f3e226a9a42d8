import { randomBytes } from 'node:crypto'
import { WebSocket } from 'ws'

export interface ProductConnection {
  id: string
  name: string
  status: string
  qrCode: string | null
}

export interface ProductContact {
  id: string
  phone: string | null
  serviceStatus: string
  lastActivity: string
  lastMessage: { content: string; sender: string } | null
}

export interface ProductMessage {
  id: string
  content: string
  sender: string
}

export interface Page<T> {
  items: T[]
  /** Older page, for `cursor`. */
  next: string | null
  /** Newer page, for `after`. */
  newer: string | null
}

export class ProductRefusal extends Error {
  readonly status: number

  constructor(request: string, status: number, replyText: string) {
    super(`${request}: ${status} ${replyText.slice(0, 300)}`)
    this.status = status
  }
}

const TIMEOUT_MS = 60_000

export class ProductClient {
  readonly url: string
  #cookie: string | undefined
  #position: string | null = null

  /** @param cookie of somebody who is signed in already */
  constructor(url: string, cookie?: string) {
    this.url = url.replace(/\/$/, '')
    this.#cookie = cookie
  }

  register(account: { firstName: string; lastName: string; email: string; password: string }): Promise<unknown> {
    return this.post('/api/auth/register', account)
  }

  logIn(email: string, password: string): Promise<unknown> {
    return this.post('/api/auth/login', { email, password })
  }

  get<T>(path: string): Promise<T> {
    return this.#call('GET', path)
  }

  post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.#call('POST', path, body)
  }

  patch<T>(path: string, body: unknown): Promise<T> {
    return this.#call('PATCH', path, body)
  }

  /** Uses simulated phones where the product has a real network too. */
  async addConnection(name: string): Promise<ProductConnection> {
    const networks = await this.get<string[]>('/api/whatsapp/networks')
    const network = networks.includes('simulator') ? 'simulator' : undefined
    return this.post('/api/whatsapp/connections', { name, network })
  }

  async upload(bytes: Uint8Array): Promise<{ id: string }> {
    return (await (await this.#send('POST', '/api/whatsapp/media', bytes)).json()) as { id: string }
  }

  async page<T>(path: string): Promise<Page<T>> {
    const response = await this.#send('GET', path)
    return {
      items: (await response.json()) as T[],
      next: response.headers.get('prosa-next-cursor'),
      newer: response.headers.get('prosa-newer-cursor'),
    }
  }

  async *pages<T>(path: string): AsyncGenerator<T[]> {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const joint = path.includes('?') ? '&' : '?'
      const page: Page<T> = await this.page<T>(cursor ? `${path}${joint}cursor=${encodeURIComponent(cursor)}` : path)
      yield page.items
      cursor = page.next
    }
  }

  /** Reconnects until the signal aborts. Resolves once first open. */
  listen(received: (event: string, data: unknown) => void, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const open = () => {
        const address = `${this.url.replace(/^http/, 'ws')}/socket.io/?EIO=4&transport=websocket`
        const socket = new WebSocket(address, { headers: { cookie: this.#cookie ?? '', origin: this.url } })
        const end = () => socket.terminate()
        signal.addEventListener('abort', end, { once: true })
        socket.on('message', (data) => {
          const text = String(data)
          if (text.startsWith('0')) socket.send('40')
          else if (text === '2') socket.send('3')
          else if (text.startsWith('40')) resolve()
          else if (text.startsWith('42')) {
            const [event, push] = JSON.parse(text.slice(2)) as [string, unknown]
            received(event, push)
          }
        })
        socket.on('error', () => socket.terminate())
        socket.on('close', () => {
          signal.removeEventListener('abort', end)
          if (!signal.aborted) setTimeout(open, 500).unref()
        })
      }
      open()
    })
  }

  async #call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.#send(method, path, body)
    const text = await response.text()
    return (text ? JSON.parse(text) : undefined) as T
  }

  async #send(method: string, path: string, body?: unknown): Promise<Response> {
    const isFile = body instanceof Uint8Array
    const headers: Record<string, string> = { accept: 'application/json' }
    if (body !== undefined) headers['content-type'] = isFile ? 'application/octet-stream' : 'application/json'
    if (this.#cookie) headers.cookie = this.#cookie
    if (method === 'GET' && this.#position) headers['prosa-position'] = this.#position
    const response = await fetch(this.url + path, {
      method,
      headers,
      body: isFile ? new Uint8Array(body) : body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const [cookie] = response.headers.getSetCookie()
    if (cookie) this.#cookie = cookie.split(';')[0]
    this.#position = response.headers.get('prosa-position') ?? this.#position
    if (!response.ok) throw new ProductRefusal(`${method} ${path}`, response.status, await response.text())
    return response
  }
}

/** Made by the client, so that a repeated request cannot send twice. */
export const newMessageId = () => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`

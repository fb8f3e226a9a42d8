import type { KeyScope } from '@prosa/contracts/values/key'
import { keyScopes } from '@prosa/contracts/values/key-scopes'
import type { Reply, Visitor } from './visitor.ts'

export const allScopes: readonly KeyScope[] = keyScopes

interface NewKey {
  id: string
  key: string
}

export const newKey = (visitor: Visitor, scopes = allScopes, expiresInDays = 30): Promise<NewKey> =>
  visitor.post<NewKey>('/api/keys', { name: 'Meu programa', scopes, expiresInDays })

/** A subscriber's program: a key, and no session. */
export class Program {
  readonly url: string
  readonly key: string

  constructor(url: string, key: string) {
    this.url = url
    this.key = key
  }

  async ask<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply<T>> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as T }
  }
}

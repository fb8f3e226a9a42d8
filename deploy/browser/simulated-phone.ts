import type { Activity, OrderFault, SendFile, SimulatedMessage, SimulatedPhone } from '@prosa/contracts/http/simulator'
import { until } from '@prosa/kernel/testing/until'
import type { SandboxServer } from '@prosa/sandbox/server/server'

const callOf =
  (productUrl: string) =>
  async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const isFile = body instanceof Uint8Array
    const reply = await fetch(`${productUrl}/api/simulador${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': isFile ? 'application/octet-stream' : 'application/json' },
      body: isFile ? new Uint8Array(body) : body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return (text ? JSON.parse(text) : undefined) as T
  }

export const orderFault = (productUrl: string, fault: OrderFault) => callOf(productUrl)<void>('POST', '/faults', fault)

/** Driven by the control API of `/simulador`. */
export const addPhone = async (productUrl: string, name: string, number: string, { hidesNumber = false } = {}) => {
  const call = callOf(productUrl)
  const { id, number: own } = await call<SimulatedPhone>('POST', '/phones', { name, number, hidesNumber })
  const messages = (chat: string) => call<SimulatedMessage[]>('GET', `/phones/${id}/chats/${chat}/messages`)
  return {
    id,
    name,
    number: own,
    scan: (qr: string) => call<unknown>('POST', `/phones/${id}/scan`, { qr }),
    enterCode: (code: string) => call<unknown>('POST', `/phones/${id}/pairing-code`, { code }),
    write: (chat: string, text: string, more: { quotedId?: string; at?: string } = {}) =>
      call<SimulatedMessage>('POST', `/phones/${id}/chats/${chat}/messages`, { text, ...more }),
    sendFile: (chat: string, bytes: Uint8Array, about: SendFile) => {
      const query = new URLSearchParams(Object.entries(about).map(([key, value]) => [key, String(value)]))
      return call<SimulatedMessage>('POST', `/phones/${id}/chats/${chat}/files?${query}`, bytes)
    },
    sendExample: (chat: string, kind: 'voice' | 'image') =>
      call<SimulatedMessage>('POST', `/phones/${id}/chats/${chat}/examples`, { kind }),
    edit: (chat: string, message: string, text: string) =>
      call<SimulatedMessage>('PATCH', `/phones/${id}/chats/${chat}/messages/${message}`, { text }),
    takeBack: (chat: string, message: string) =>
      call<void>('DELETE', `/phones/${id}/chats/${chat}/messages/${message}`),
    react: (chat: string, message: string, emoji: string | null) =>
      call<SimulatedMessage>('PUT', `/phones/${id}/chats/${chat}/messages/${message}/reaction`, { emoji }),
    show: (chat: string, activity: Activity) =>
      call<void>('POST', `/phones/${id}/chats/${chat}/activity`, { activity }),
    block: (other: string, blocked: boolean) => call<void>('POST', `/phones/${id}/block`, { number: other, blocked }),
    showNumber({ phones }: SandboxServer) {
      const phone = phones.get(own)
      if (phone) phone.account.hidesNumber = false
    },
    messages,
    received: (chat: string, isMeant: (message: SimulatedMessage) => boolean) =>
      until(async () => (await messages(chat)).find(isMeant)),
    async unlinkAll() {
      const phone = (await call<SimulatedPhone[]>('GET', '/phones')).find((each) => each.id === id)
      for (const { id: deviceId } of phone?.linkedDevices ?? [])
        await call<void>('POST', `/phones/${id}/unlink`, { deviceId })
    },
  }
}

export type SimulatedPerson = Awaited<ReturnType<typeof addPhone>>

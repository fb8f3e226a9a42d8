import type { SimulatedChat, SimulatedMessage, SimulatedPhone } from '@prosa/contracts/http/simulator'
import type { SandboxServer } from '../server/server.ts'
import type { Chat, ChatMessage } from './chat.ts'
import type { PhoneChats } from './phone-chats.ts'

const person = (sandbox: SandboxServer, number: string) => ({
  number,
  name: sandbox.directory.byNumber(number)?.name ?? null,
})

export function describePhone(sandbox: SandboxServer, it: PhoneChats): SimulatedPhone {
  const { phone } = it
  const linkedDevices = phone.companions().map((device) => ({
    id: String(device.id),
    online: sandbox.isOnline(device),
  }))
  const chats = it.chats().map((chat) => describeChat(sandbox, it, chat))
  return {
    id: phone.account.lidUser,
    name: phone.account.name,
    number: phone.number,
    online: phone.online,
    hidesNumber: phone.account.hidesNumber,
    linkedDevices,
    chats: chats.sort((a, b) => (b.lastMessage?.at ?? '').localeCompare(a.lastMessage?.at ?? '')),
  }
}

function describeChat(sandbox: SandboxServer, it: PhoneChats, chat: Chat): SimulatedChat {
  const last = chat.last()
  const group = sandbox.directory.group(chat.partner)
  return {
    with: group ? { number: chat.partner, name: group.subject } : person(sandbox, chat.partner),
    isGroup: chat.isGroup,
    members: [...(group?.members ?? [])].map(({ number, name }) => ({ number, name })),
    blocked: it.phone.blocked().includes(chat.partner),
    activity: it.activityOf(chat.partner),
    unread: chat.unread().length,
    lastMessage: last ? describeMessage(sandbox, it, last) : null,
  }
}

export function describeMessage(sandbox: SandboxServer, it: PhoneChats, message: ChatMessage): SimulatedMessage {
  const { id, fromMe, author, kind, text, at, status, file, quoted, reactions, editedAt, deleted } = message
  return {
    id,
    fromMe,
    author: person(sandbox, author),
    kind,
    text,
    at,
    status,
    file: file ?? null,
    quoted: quoted ?? null,
    reactions: Object.entries(reactions).map(([number, emoji]) => ({
      emoji,
      fromMe: number === it.phone.number,
      number,
    })),
    editedAt: editedAt ?? null,
    deleted: deleted ?? false,
  }
}

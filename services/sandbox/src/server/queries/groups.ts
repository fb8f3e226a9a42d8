import { el } from '../../wire/stanza.ts'
import type { Group } from '../directory.ts'
import { type Namespace, notFound } from './answer.ts'

export function writeGroup(group: Group) {
  const created = String(group.created)
  const attrs = { id: group.id.split('@')[0], subject: group.subject, creator: group.creator.jid('lid') }
  const members = [...group.members].map((member) =>
    el('participant', {
      jid: member.jid('lid'),
      phone_number: member.jid('pn'),
      type: member === group.creator ? 'superadmin' : undefined,
    }),
  )
  return el('group', { ...attrs, creation: created, s_t: created, addressing_mode: 'lid' }, members)
}

export const groups: Namespace = {
  'get/query': (request, _device, server) => {
    const group = server.directory.group(request.attrs.to)
    return group ? [writeGroup(group)] : notFound
  },
  'get/participating': (_request, device, server) => {
    const mine = [...server.directory.groups.values()].filter((group) => group.members.has(device.account))
    return [el('groups', {}, mine.map(writeGroup))]
  },
}

import type { Contact } from '@prosa/contracts/http/live-chat'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useCurrentUser } from '../../../lib/account/current-user.ts'
import { alertChoice, wishNotifications } from '../../../lib/browser/alert-choice.ts'
import { closeNotifications, mayNotify, notify, onNotificationPressed } from '../../../lib/browser/notifications.ts'
import { plural } from '../../../lib/format/format.ts'
import { notePosition } from '../../../lib/http/http.ts'
import { paths } from '../../../lib/paths.ts'
import { useSocketEvent } from '../../../lib/realtime/socket.tsx'
import { useToast } from '../../../lib/toast.ts'
import { contactQuery } from '../api.ts'
import { contactName } from '../contact-name.ts'
import { queueOf } from '../list/contact-lists.ts'
import { chatAddress, chatInView } from '../use-selection.ts'
import { playAlertTone } from './alert-tone.ts'

/** As of now, not of the last render. */
const useChatInView = () => {
  const location = useLocation()
  const navigate = useNavigate()
  const route = useRef({ location, navigate })
  useEffect(() => {
    route.current = { location, navigate }
  })
  const open = useCallback((path: string) => void route.current.navigate(path), [])
  const isOnChats = () => document.hasFocus() && route.current.location.pathname === paths.liveChat
  const isInView = (contactId: string) =>
    document.visibilityState === 'visible' && isOnChats() && chatInView(route.current.location.search) === contactId
  return { open, isOnChats, isInView }
}

interface Call {
  isSo: (contact: Contact) => boolean
  title: string
  description: (name: string) => string
  body: string
  tag: string
}

const robot: Call = {
  isSo: ({ suspectedRobot }) => suspectedRobot !== null,
  title: 'Possível robô',
  description: (name) => `Os fluxos pararam com ${name}. A conversa espera por uma pessoa.`,
  body: 'Possível robô: os fluxos pararam',
  tag: 'robot',
}
const asked: Call = {
  isSo: ({ personAskedAt }) => personAskedAt !== null,
  title: 'Pediu uma pessoa',
  description: (name) => `O fluxo transferiu ${name}, que espera pela equipe.`,
  body: 'Pediu uma pessoa',
  tag: 'asked',
}

/** On every screen, for contacts not in view; notifications show only the name. Own messages and ticks are not announced. */
export const useAlerts = (): void => {
  const client = useQueryClient()
  const toast = useToast()
  const { open, isOnChats, isInView } = useChatInView()
  const wished = useCurrentUser()?.company.notifications ?? false
  useEffect(() => wishNotifications(wished), [wished])
  /** At the last check, by contact; seen since: another first one. */
  const unread = useRef(new Map<string, Pick<Contact, 'unreadCount' | 'firstUnreadId'>>())
  const looking = useRef(new Set<string>())

  const announce = async (contactId: string) => {
    if (isInView(contactId)) return
    const contact = await client.fetchQuery({ ...contactQuery(contactId), staleTime: 0 })
    if (!contact) return
    // The id differs after a merge.
    const { id, unreadCount, firstUnreadId } = contact
    const known = unread.current.get(id)
    const before = known?.firstUnreadId === firstUnreadId ? (known?.unreadCount ?? 0) : 0
    unread.current.set(id, { unreadCount, firstUnreadId })
    // An attendant's message leaves nothing unread; an automatic reply does.
    if (unreadCount <= before || isInView(id) || queueOf(contact) === 'bot') return
    const { sound, notifications } = alertChoice()
    if (sound) playAlertTone()
    if (!notifications || isOnChats() || !mayNotify()) return
    const body =
      unreadCount === 1 ? 'Enviou uma mensagem' : plural(unreadCount, 'mensagem não lida', 'mensagens não lidas')
    await notify({ title: contactName(contact), body, tag: id, path: chatAddress(id) }, open)
  }

  /** No flow speaks any more: only an attendant will answer. */
  const callPerson = async (contactId: string, { isSo, title, description, body, tag }: Call) => {
    if (isInView(contactId)) return
    const contact = await client.fetchQuery({ ...contactQuery(contactId), staleTime: 0 })
    if (!contact || !isSo(contact)) return
    const path = chatAddress(contact.id)
    toast({
      kind: 'info',
      title,
      description: description(contactName(contact)),
      action: { label: 'Abrir conversa', onPress: () => open(path) },
    })
    const { sound, notifications } = alertChoice()
    if (sound) playAlertTone()
    if (!notifications || document.hasFocus() || !mayNotify()) return
    await notify({ title: contactName(contact), body, tag: `${contact.id} ${tag}`, path }, open)
  }

  useEffect(() => {
    const stop = onNotificationPressed(open)
    return () => {
      stop()
      closeNotifications().catch((error: unknown) => console.warn('Os avisos não puderam ser retirados.', error))
    }
  }, [open])

  useSocketEvent('whatsapp:new_message', ({ contactId, position }) => {
    notePosition(position)
    const { sound, notifications } = alertChoice()
    // One check at a time per contact: a burst is announced once.
    if ((!sound && !notifications) || looking.current.has(contactId)) return
    looking.current.add(contactId)
    announce(contactId)
      .catch((error: unknown) => console.warn('Uma mensagem não pôde ser anunciada.', error))
      .finally(() => looking.current.delete(contactId))
  })
  useSocketEvent('whatsapp:robot_suspected', ({ contactId, position }) => {
    notePosition(position)
    callPerson(contactId, robot).catch((error: unknown) =>
      console.warn('Um possível robô não pôde ser anunciado.', error),
    )
  })
  useSocketEvent('whatsapp:person_asked', ({ contactId, position }) => {
    notePosition(position)
    callPerson(contactId, asked).catch((error: unknown) =>
      console.warn('Quem pediu uma pessoa não pôde ser anunciado.', error),
    )
  })
}

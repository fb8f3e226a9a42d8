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

/** On every screen, for contacts not in view; notifications show only the name. Own messages and ticks are not announced. */
export const useAlerts = (): void => {
  const client = useQueryClient()
  const toast = useToast()
  const { open, isOnChats, isInView } = useChatInView()
  const wished = useCurrentUser()?.company.notifications ?? false
  useEffect(() => wishNotifications(wished), [wished])
  /** At the last check, by contact. */
  const unread = useRef(new Map<string, number>())
  const looking = useRef(new Set<string>())

  const announce = async (contactId: string) => {
    if (isInView(contactId)) return
    const contact = await client.fetchQuery({ ...contactQuery(contactId), staleTime: 0 })
    if (!contact) return
    // The id differs after a merge.
    const { id, unreadCount } = contact
    const before = unread.current.get(id) ?? 0
    unread.current.set(id, unreadCount)
    // An attendant's message leaves nothing unread; an automatic reply does.
    if (unreadCount <= before || isInView(id)) return
    const { sound, notifications } = alertChoice()
    if (sound) playAlertTone()
    if (!notifications || isOnChats() || !mayNotify()) return
    const body =
      unreadCount === 1 ? 'Enviou uma mensagem' : plural(unreadCount, 'mensagem não lida', 'mensagens não lidas')
    await notify({ title: contactName(contact), body, tag: id, path: chatAddress(id) }, open)
  }

  /** Flows are paused: only an attendant will answer. */
  const announceRobot = async (contactId: string) => {
    if (isInView(contactId)) return
    const contact = await client.fetchQuery({ ...contactQuery(contactId), staleTime: 0 })
    if (!contact?.suspectedRobot) return
    const path = chatAddress(contact.id)
    toast({
      kind: 'info',
      title: 'Possível robô',
      description: `Os fluxos pararam com ${contactName(contact)}. A conversa espera por uma pessoa.`,
      action: { label: 'Abrir conversa', onPress: () => open(path) },
    })
    const { sound, notifications } = alertChoice()
    if (sound) playAlertTone()
    if (!notifications || document.hasFocus() || !mayNotify()) return
    const body = 'Possível robô: os fluxos pararam'
    await notify({ title: contactName(contact), body, tag: `${contact.id} robot`, path }, open)
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
    announceRobot(contactId).catch((error: unknown) => console.warn('Um possível robô não pôde ser anunciado.', error))
  })
  // Seen here or in another browser: the next message is new.
  useSocketEvent('whatsapp:contact_update', ({ contactId }) => {
    unread.current.delete(contactId)
  })
}

import type { ClientToServer, ServerToClient } from '@prosa/contracts/realtime'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { io, type Socket } from 'socket.io-client'
import { connectionsQuery, withConnection } from '../account/connections.ts'
import { currentUserQuery } from '../account/current-user.ts'
import { quickRepliesQuery } from '../account/quick-replies.ts'
import { usageQuery } from '../account/usage.ts'
import { notePosition } from '../http/http.ts'
import { noteServerTime } from '../http/server-clock.ts'
import { noteServerReach } from '../http/server-reach.ts'
import { notePushes } from './live-pace.ts'

export type ProsaSocket = Socket<ServerToClient, ClientToServer>
/** `crowded`: too many tabs are open; this one polls without pushes. */
export type SocketStatus = 'online' | 'reconnecting' | 'crowded' | 'offline'

const SocketContext = createContext<ProsaSocket | null>(null)
const SocketStatusContext = createContext<SocketStatus>('online')

const connect = (): ProsaSocket =>
  io({
    path: '/socket.io',
    // Polling needs a sticky cookie where there are several processes, and twice the requests.
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 1000,
    reconnectionDelayMax: 5000,
    randomizationFactor: 0.5,
    timeout: 20_000,
    autoConnect: false,
  })

/** socket.io does not reconnect by itself after a refused handshake. */
const refusedRetryMs = 5000
/** Plus up to half of it at random: tabs must not retry together. */
const crowdedRetryMs = 60_000
const resumeTimeoutMs = 3000

const useNetwork = (): boolean => {
  const [network, setNetwork] = useState(navigator.onLine)
  useEffect(() => {
    const follow = () => setNetwork(navigator.onLine)
    window.addEventListener('online', follow)
    window.addEventListener('offline', follow)
    return () => {
      window.removeEventListener('online', follow)
      window.removeEventListener('offline', follow)
    }
  }, [])
  return network
}

/** Online only once missed pushes are resumed or all queries refetched. */
const useStatusOf = (socket: ProsaSocket | null): SocketStatus => {
  const queries = useQueryClient()
  const network = useNetwork()
  const [state, setState] = useState<Exclude<SocketStatus, 'offline'>>('online')

  useEffect(() => {
    if (!socket) return
    let received: string | null = null
    let retry: ReturnType<typeof setTimeout> | undefined
    let resumeTimeout: ReturnType<typeof setTimeout> | undefined

    socket.auth = (send) => send(received === null ? {} : { position: received })
    const readAgain = () =>
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== currentUserQuery.queryKey[0] })
    const onConnect = () => {
      clearTimeout(resumeTimeout)
      resumeTimeout = setTimeout(() => {
        readAgain()
        setState('online')
      }, resumeTimeoutMs)
    }
    const onPosition: ServerToClient['position'] = ({ position }) => {
      received = position
      notePushes(true)
    }
    const onResumed: ServerToClient['resumed'] = ({ position, complete }) => {
      clearTimeout(resumeTimeout)
      received = position
      notePosition(position)
      if (!complete) readAgain()
      notePushes(true)
      setState('online')
    }
    const reconnectWhenRefused = (crowded: boolean) => {
      if (socket.active) return
      if (!crowded) void queries.invalidateQueries({ queryKey: currentUserQuery.queryKey })
      clearTimeout(retry)
      retry = setTimeout(() => socket.connect(), crowded ? crowdedRetryMs * (1 + Math.random() / 2) : refusedRetryMs)
    }
    const onDown = (crowded = false) => {
      clearTimeout(resumeTimeout)
      notePushes(false)
      setState(crowded ? 'crowded' : 'reconnecting')
      reconnectWhenRefused(crowded)
    }
    const onRefused = (error: Error & { data?: { type?: unknown } }) => onDown(error.data?.type === 'too_many_sockets')
    const onDisconnect = (reason: string) => {
      if (reason === 'io client disconnect') notePushes(false)
      else onDown()
    }
    socket.on('connect', onConnect)
    socket.on('position', onPosition)
    socket.on('resumed', onResumed)
    socket.on('disconnect', onDisconnect)
    socket.on('connect_error', onRefused)
    return () => {
      clearTimeout(retry)
      clearTimeout(resumeTimeout)
      notePushes(false)
      socket.off('connect', onConnect)
      socket.off('position', onPosition)
      socket.off('resumed', onResumed)
      socket.off('disconnect', onDisconnect)
      socket.off('connect_error', onRefused)
    }
  }, [socket, queries])

  if (!network) return 'offline'
  return state
}

const useConnectionPushes = () => {
  const queries = useQueryClient()
  const { queryKey } = connectionsQuery
  useSocketEvent('whatsapp:connections', (connections) => {
    for (const { serverTime } of connections) noteServerTime(serverTime)
    queries.setQueryData(queryKey, connections)
  })
  useSocketEvent('whatsapp:connection_update', (connection) => {
    noteServerTime(connection.serverTime)
    queries.setQueryData(queryKey, (known) => known && withConnection(known, connection))
  })
  useSocketEvent('whatsapp:connection_removed', ({ connectionId }) => {
    queries.setQueryData(queryKey, (known) => known?.filter(({ id }) => id !== connectionId))
  })
}

const useReadAgain = (
  event: 'quick_replies:update' | 'labels:update' | 'settings:update' | 'flows:update' | 'account:update',
  queryKeys: readonly (readonly string[])[],
) => {
  const queries = useQueryClient()
  useSocketEvent(event, ({ position }) => {
    notePosition(position)
    for (const queryKey of queryKeys) void queries.invalidateQueries({ queryKey })
  })
}

const Pushes = () => {
  useConnectionPushes()
  useReadAgain('quick_replies:update', [quickRepliesQuery.queryKey])
  // Keys of queries that load lazily.
  useReadAgain('labels:update', [['labels'], ['contact-fields']])
  // The current user contains the reply name and the company's choices.
  useReadAgain('settings:update', [['company'], ['opening-hours'], currentUserQuery.queryKey])
  // Prefix of all flow queries, none of which is loaded here.
  useReadAgain('flows:update', [['flows']])
  useReadAgain('account:update', [currentUserQuery.queryKey, usageQuery.queryKey])
  return null
}

/** The server resumes after the last received position, or every query is refetched. */
export const SocketProvider = ({ children, socket: given }: { children: ReactNode; socket?: ProsaSocket }) => {
  const [socket, setSocket] = useState<ProsaSocket | null>(given ?? null)
  const status = useStatusOf(socket)
  useEffect(() => noteServerReach(status === 'online' || status === 'crowded'), [status])
  useEffect(() => () => noteServerReach(true), [])

  useEffect(() => {
    if (given) return
    const opened = connect()
    setSocket(opened)
    return () => {
      opened.disconnect()
      setSocket(null)
    }
  }, [given])

  // A separate effect: all handlers must be registered before the first push.
  useEffect(() => {
    if (socket && !given) socket.connect()
  }, [socket, given])

  return (
    <SocketContext.Provider value={socket}>
      <SocketStatusContext.Provider value={status}>
        <Pushes />
        {children}
      </SocketStatusContext.Provider>
    </SocketContext.Provider>
  )
}

/** Calls the latest `handler` while mounted. */
export const useSocketEvent = <Name extends keyof ServerToClient>(name: Name, handler: ServerToClient[Name]): void => {
  const socket = useContext(SocketContext)
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  useEffect(() => {
    if (!socket) return
    // socket.io's types reject a generic event name.
    const untyped = socket as unknown as Socket
    const event: string = name
    const listener = (push: unknown) => (latest.current as (push: unknown) => void)(push)
    untyped.on(event, listener)
    return () => {
      untyped.off(event, listener)
    }
  }, [socket, name])
}

type Emit = <Name extends keyof ClientToServer>(name: Name, ...args: Parameters<ClientToServer[Name]>) => void

/** Buffered while disconnected. Stable between renders. */
export const useEmit = (): Emit => {
  const socket = useContext(SocketContext)
  return useCallback<Emit>((name, ...args) => void socket?.emit(name, ...args), [socket])
}

/** The socket to the Prosa server, not WhatsApp. */
export const useSocketStatus = (): SocketStatus => useContext(SocketStatusContext)

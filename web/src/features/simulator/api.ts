import type {
  Activity,
  AddPhone,
  CreateGroup,
  DemoProgress,
  FileKind,
  OrderFault,
  SimulatedMessage,
  SimulatedPhone,
  SimulatorFaults,
  SimulatorProblem,
} from '@prosa/sandbox/simulator/simulator-contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { connectionsQuery } from '../../lib/connections.ts'
import { ApiProblem, request, sentenceOf } from '../../lib/http.ts'
import { useToast } from '../../lib/toast.tsx'

const root = '/api/simulador'
const key = ['simulator']
/** The codes rotate about every 20 s; the pushes bring them, this only covers a lost one. */
const qrPollingMs = 3000

export const phonesQuery = queryOptions({
  queryKey: [...key, 'phones'],
  queryFn: () => request<SimulatedPhone[]>('GET', `${root}/phones`),
})

export const faultsQuery = queryOptions({
  queryKey: [...key, 'faults'],
  queryFn: () => request<SimulatorFaults>('GET', `${root}/faults`),
})

export const demoQuery = queryOptions({
  queryKey: [...key, 'demo'],
  queryFn: () => request<DemoProgress>('GET', `${root}/demo`),
})

const chatPath = (phoneId: string, chat: string) => `${root}/phones/${phoneId}/chats/${chat}`

/** Where the file of a message is. */
export const filePath = (phoneId: string, chat: string, messageId: string) =>
  `${chatPath(phoneId, chat)}/messages/${messageId}/file`

/** What a phone and a number or group wrote to each other, oldest first. */
export const chatQuery = (phoneId: string, chat: string) =>
  queryOptions({
    queryKey: [...key, 'chat', phoneId, chat],
    queryFn: () => request<SimulatedMessage[]>('GET', `${chatPath(phoneId, chat)}/messages`),
  })

/** Reads everything shown again whenever something changed on any simulated phone. */
export const useSimulatorChanges = (): void => {
  const queries = useQueryClient()
  useEffect(() => {
    const refresh = () => void queries.invalidateQueries({ queryKey: key })
    const changes = new EventSource(`${root}/events`)
    changes.addEventListener('change', refresh)
    changes.addEventListener('open', refresh)
    return () => changes.close()
  }, [queries])
}

/** The QR and pairing codes that this account's connections show at this moment; undefined while they are not known. */
export const useShownCodes = () => {
  const { data, error, isPending, refetch } = useQuery({ ...connectionsQuery, refetchInterval: qrPollingMs })
  const codes = data?.flatMap(({ id, name, qrCode, pairingCode }) =>
    qrCode || pairingCode ? [{ id, name, image: qrCode, pairingCode }] : [],
  )
  return { codes, error, isPending, refetch }
}

const useChange = <Input>(call: (input: Input) => Promise<unknown>) => {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: call,
    onError: (error) =>
      toast({
        title: 'Não deu certo',
        description: sentenceOf(error, 'O telefone simulado não respondeu. Tente de novo.'),
        kind: 'error',
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })
}

export const useAddPhone = () => useChange((phone: AddPhone) => request('POST', `${root}/phones`, phone))

export const useRemovePhone = () => useChange((id: string) => request('DELETE', `${root}/phones/${id}`))

export const useCreateGroup = () => useChange((group: CreateGroup) => request('POST', `${root}/groups`, group))

export const useOrderFault = () => useChange((fault: OrderFault) => request('POST', `${root}/faults`, fault))

export const useClearFaults = () => useChange((_: undefined) => request('DELETE', `${root}/faults`))

export const useFillMorning = () => useChange((_: undefined) => request('POST', `${root}/demo`))

/** `qr` is the text inside the QR code. */
export const useScan = (id: string) => useChange((qr: string) => request('POST', `${root}/phones/${id}/scan`, { qr }))

export const useEnterCode = (id: string) =>
  useChange((code: string) => request('POST', `${root}/phones/${id}/pairing-code`, { code }))

export const useUnlink = (id: string) =>
  useChange((deviceId: string) => request('POST', `${root}/phones/${id}/unlink`, { deviceId }))

export const useSetOnline = (id: string) =>
  useChange((online: boolean) => request('POST', `${root}/phones/${id}/${online ? 'online' : 'offline'}`))

export const useBlock = (id: string, number: string) =>
  useChange((blocked: boolean) => request('POST', `${root}/phones/${id}/block`, { number, blocked }))

interface FileToSend {
  file: Blob
  kind: FileKind
  seconds?: number
  /** Loudness of a voice note, 0 to 100, at most 64 values. */
  waveform?: number[]
}

const sendFile = async (path: string, { file, kind, seconds, waveform }: FileToSend) => {
  const query = new URLSearchParams({ kind, mediaType: file.type || 'application/octet-stream' })
  if (file instanceof File) query.set('fileName', file.name)
  if (seconds !== undefined) query.set('seconds', String(seconds))
  if (waveform) query.set('waveform', waveform.join(','))
  const reply = await fetch(`${path}/files?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  })
  if (reply.ok) return
  const { title, errors } = (await reply.json()) as SimulatorProblem
  throw new ApiProblem(reply.status, 'refused', errors[0]?.message ?? title, errors)
}

/** Everything that one does in a chat of a phone. */
export const useChat = (id: string, chat: string) => {
  const path = chatPath(id, chat)
  const message = (messageId: string) => `${path}/messages/${messageId}`
  return {
    write: useChange((body: { text: string; quotedId?: string }) => request('POST', `${path}/messages`, body)),
    sendFile: useChange((what: FileToSend) => sendFile(path, what)),
    sendExample: useChange((kind: 'voice' | 'image') => request('POST', `${path}/examples`, { kind })),
    edit: useChange(({ id, text }: { id: string; text: string }) => request('PATCH', message(id), { text })),
    remove: useChange((messageId: string) => request('DELETE', message(messageId))),
    react: useChange(({ id, emoji }: { id: string; emoji: string | null }) =>
      request('PUT', `${message(id)}/reaction`, { emoji }),
    ),
    read: useChange((_: undefined) => request('POST', `${path}/read`)),
  }
}

/** Shows the other side what the person does; nobody needs to know when that failed. */
export const showActivity = (id: string, chat: string, activity: Activity): void =>
  void request('POST', `${chatPath(id, chat)}/activity`, { activity }).catch(() => undefined)

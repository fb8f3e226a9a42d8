import type { Activity, AddPhone, CreateGroup, FileKind, OrderFault } from '@prosa/contracts/http/simulator'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { connectionsQuery } from '../../lib/account/connections.ts'
import { addressOf, call } from '../../lib/http/call.ts'
import { ApiProblem, problemIn, sentenceOf } from '../../lib/http/http.ts'
import { useCommand } from '../../lib/http/use-command.ts'

const key = ['simulator']
/** Only for lost pushes: codes rotate about every 20 s. */
const qrPollingMs = 3000

export const phonesQuery = queryOptions({
  queryKey: [...key, 'phones'],
  queryFn: ({ signal }) => call('GET /api/simulador/phones', { signal }),
})

export const faultsQuery = queryOptions({
  queryKey: [...key, 'faults'],
  queryFn: ({ signal }) => call('GET /api/simulador/faults', { signal }),
})

export const demoQuery = queryOptions({
  queryKey: [...key, 'demo'],
  queryFn: ({ signal }) => call('GET /api/simulador/demo', { signal }),
})

export const filePath = (phoneId: string, chat: string, messageId: string) =>
  addressOf('GET /api/simulador/phones/:id/chats/:chat/messages/:message/file', {
    params: { id: phoneId, chat, message: messageId },
  })

export const chatQuery = (phoneId: string, chat: string) =>
  queryOptions({
    queryKey: [...key, 'chat', phoneId, chat],
    queryFn: ({ signal }) =>
      call('GET /api/simulador/phones/:id/chats/:chat/messages', { signal, params: { id: phoneId, chat } }),
  })

export const useSimulatorChanges = (): void => {
  const queries = useQueryClient()
  useEffect(() => {
    const refresh = () => void queries.invalidateQueries({ queryKey: key })
    const changes = new EventSource(addressOf('GET /api/simulador/events'))
    changes.addEventListener('change', refresh)
    changes.addEventListener('open', refresh)
    return () => changes.close()
  }, [queries])
}

/** QR and pairing codes of this tenant's connections; undefined while unknown. */
export const useShownCodes = () => {
  const { data, error, isPending, refetch } = useQuery({ ...connectionsQuery, refetchInterval: qrPollingMs })
  const codes = data?.flatMap(({ id, name, qrCode, pairingCode }) =>
    qrCode || pairingCode ? [{ id, name, image: qrCode, pairingCode }] : [],
  )
  return { codes, error, isPending, refetch }
}

const useChange = <Input>(run: (input: Input) => Promise<unknown>) =>
  useCommand({
    run,
    failed: (error) => ({
      title: 'Não deu certo',
      description: sentenceOf(error, 'O telefone simulado não respondeu. Tente de novo.'),
    }),
    rereads: [key],
  })

export const useAddPhone = () => useChange((phone: AddPhone) => call('POST /api/simulador/phones', { body: phone }))

export const useRemovePhone = () =>
  useChange((id: string) => call('DELETE /api/simulador/phones/:id', { params: { id } }))

export const useCreateGroup = () =>
  useChange((group: CreateGroup) => call('POST /api/simulador/groups', { body: group }))

export const useOrderFault = () => useChange((fault: OrderFault) => call('POST /api/simulador/faults', { body: fault }))

export const useClearFaults = () => useChange((_: undefined) => call('DELETE /api/simulador/faults'))

export const useFillMorning = () => useChange((_: undefined) => call('POST /api/simulador/demo'))

/** `qr` is the text inside the QR code. */
export const useScan = (id: string) =>
  useChange((qr: string) => call('POST /api/simulador/phones/:id/scan', { params: { id }, body: { qr } }))

export const useEnterCode = (id: string) =>
  useChange((code: string) => call('POST /api/simulador/phones/:id/pairing-code', { params: { id }, body: { code } }))

export const useUnlink = (id: string) =>
  useChange((deviceId: string) => call('POST /api/simulador/phones/:id/unlink', { params: { id }, body: { deviceId } }))

export const useSetOnline = (id: string) =>
  useChange((online: boolean) =>
    call(`POST /api/simulador/phones/:id/${online ? 'online' : 'offline'}`, { params: { id } }),
  )

export const useBlock = (id: string, number: string) =>
  useChange((blocked: boolean) =>
    call('POST /api/simulador/phones/:id/block', { params: { id }, body: { number, blocked } }),
  )

interface FileToSend {
  file: Blob
  kind: FileKind
  seconds?: number
  /** Loudness of a voice note, 0 to 100, at most 64 values. */
  waveform?: number[]
}

interface Chat {
  id: string
  chat: string
}

const sendFile = async (params: Chat, { file, kind, seconds, waveform }: FileToSend) => {
  const query = {
    kind,
    mediaType: file.type || 'application/octet-stream',
    fileName: file instanceof File ? file.name : undefined,
    seconds,
    waveform: waveform?.join(','),
  }
  const reply = await fetch(addressOf('POST /api/simulador/phones/:id/chats/:chat/files', { params, query }), {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  })
  if (reply.ok) return
  const { title, errors } = problemIn(reply.status, await reply.json())
  throw new ApiProblem(reply.status, 'refused', errors[0]?.message ?? title, errors)
}

export const useChat = (id: string, chat: string) => {
  const params = { id, chat }
  const about = (message: string) => ({ ...params, message })
  return {
    write: useChange((body: { text: string; quotedId?: string }) =>
      call('POST /api/simulador/phones/:id/chats/:chat/messages', { params, body }),
    ),
    sendFile: useChange((what: FileToSend) => sendFile(params, what)),
    sendExample: useChange((kind: 'voice' | 'image') =>
      call('POST /api/simulador/phones/:id/chats/:chat/examples', { params, body: { kind } }),
    ),
    edit: useChange(({ id, text }: { id: string; text: string }) =>
      call('PATCH /api/simulador/phones/:id/chats/:chat/messages/:message', { params: about(id), body: { text } }),
    ),
    remove: useChange((messageId: string) =>
      call('DELETE /api/simulador/phones/:id/chats/:chat/messages/:message', { params: about(messageId) }),
    ),
    react: useChange(({ id, emoji }: { id: string; emoji: string | null }) =>
      call('PUT /api/simulador/phones/:id/chats/:chat/messages/:message/reaction', {
        params: about(id),
        body: { emoji },
      }),
    ),
    read: useChange((_: undefined) => call('POST /api/simulador/phones/:id/chats/:chat/read', { params })),
  }
}

/** Failures are ignored. */
export const showActivity = (id: string, chat: string, activity: Activity): void =>
  void call('POST /api/simulador/phones/:id/chats/:chat/activity', { params: { id, chat }, body: { activity } }).catch(
    () => undefined,
  )

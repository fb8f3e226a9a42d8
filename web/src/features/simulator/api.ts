import type { AddPhone, SimulatedMessage, SimulatedPhone } from '@prosa/sandbox/simulator/simulator-contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { connectionsQuery } from '../../lib/connections.ts'
import { request, sentenceOf } from '../../lib/http.ts'
import { useToast } from '../../lib/toast.tsx'

const root = '/api/simulador'
const key = ['simulator']
/** The codes rotate about every 20 s; the pushes bring them, this only covers a lost one. */
const qrPollingMs = 3000

export const phonesQuery = queryOptions({
  queryKey: [...key, 'phones'],
  queryFn: () => request<SimulatedPhone[]>('GET', `${root}/phones`),
})

const chatPath = (phoneId: string, number: string) => `${root}/phones/${phoneId}/chats/${number}`

/** What a phone and a number wrote to each other, oldest first. */
export const chatQuery = (phoneId: string, number: string) =>
  queryOptions({
    queryKey: [...key, 'chat', phoneId, number],
    queryFn: () => request<SimulatedMessage[]>('GET', `${chatPath(phoneId, number)}/messages`),
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

/** The QR codes that this account's connections show at this moment. */
export const useShownQrCodes = (): { id: string; name: string; image: string }[] => {
  const { data } = useQuery({ ...connectionsQuery, refetchInterval: qrPollingMs })
  return (data ?? []).flatMap(({ id, name, qrCode }) => (qrCode ? [{ id, name, image: qrCode }] : []))
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

/** `qr` is the text inside the QR code. */
export const useScan = (id: string) => useChange((qr: string) => request('POST', `${root}/phones/${id}/scan`, { qr }))

export const useUnlink = (id: string) =>
  useChange((deviceId: string) => request('POST', `${root}/phones/${id}/unlink`, { deviceId }))

export const useSetOnline = (id: string) =>
  useChange((online: boolean) => request('POST', `${root}/phones/${id}/${online ? 'online' : 'offline'}`))

export const useWrite = (id: string, number: string) =>
  useChange((text: string) => request('POST', `${chatPath(id, number)}/messages`, { text }))

export const useRead = (id: string, number: string) =>
  useChange((_: undefined) => request('POST', `${chatPath(id, number)}/read`))

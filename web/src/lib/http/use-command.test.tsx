import { QueryClient, QueryClientProvider, QueryObserver } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it, onTestFinished } from 'vitest'
import { type Toast, ToastContext } from '../toast.ts'
import { ApiProblem } from './http.ts'
import { type Command, useCommand } from './use-command.ts'

const key = ['labels']
const refused = new ApiProblem(409, 'label_exists', 'Já existe.')
/** Resolved or rejected by the test. */
const open = () => {
  let resolve: (value: string) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<string>((onValue, onError) => {
    resolve = onValue
    reject = onError
  })
  return { promise, resolve, reject }
}

const commanding = (command: Omit<Command<string, string>, 'run'>) => {
  const queries = new QueryClient()
  queries.setQueryData(key, ['antes'])
  const happened: string[] = []
  const toast = ({ title, description }: Toast) => void happened.push(`${title}: ${description}`)
  const reply = open()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>
      <ToastContext value={toast}>{children}</ToastContext>
    </QueryClientProvider>
  )
  const { result } = renderHook(() => useCommand<string, string>({ run: () => reply.promise, ...command }), { wrapper })
  const send = async () => {
    act(() => result.current.mutate('depois'))
    await waitFor(() => expect(result.current.isPending).toBe(true))
  }
  return { queries, happened, reply, result, send, labels: () => queries.getQueryData(key) }
}

it('shows what is expected at once, and takes it back when that is refused', async () => {
  const { reply, result, send, labels, happened } = commanding({
    expect: async (queries, input) => {
      const before = queries.getQueryData(key)
      queries.setQueryData(key, [input])
      return () => queries.setQueryData(key, before)
    },
    failed: 'Não foi salvo.',
  })
  await send()
  expect(labels()).toEqual(['depois'])
  reply.reject(refused)
  await waitFor(() => expect(result.current.isError).toBe(true))
  expect(labels()).toEqual(['antes'])
  expect(happened).toEqual(['Erro: Não foi salvo. Já existe.'])
})

it('reports success only after the reply is shown', async () => {
  const applied = open()
  const { reply, result, send, happened } = commanding({
    apply: async (_, answer) => {
      await applied.promise
      happened.push(`mostrado: ${answer}`)
    },
    done: 'Salvo.',
  })
  await send()
  await act(async () => reply.resolve('resposta'))
  expect([happened, result.current.isPending]).toEqual([[], true])
  await act(async () => applied.resolve(''))
  await waitFor(() => expect(result.current.isSuccess).toBe(true))
  expect(happened).toEqual(['mostrado: resposta', 'Sucesso: Salvo.'])
})

it.each(['success', 'failure'])('is pending after a %s until what it changed is read again', async (outcome) => {
  const { queries, reply, result, send, labels } = commanding({ rereads: [key] })
  const again = open()
  const answers: (string | Promise<string>)[] = ['lido', again.promise]
  const observer = new QueryObserver(queries, { queryKey: key, queryFn: () => answers.shift() })
  onTestFinished(observer.subscribe(() => undefined))
  await waitFor(() => expect(labels()).toBe('lido'))
  await send()
  await act(async () => (outcome === 'success' ? reply.resolve('resposta') : reply.reject(refused)))
  await waitFor(() => expect(answers).toEqual([]))
  expect(result.current.isPending).toBe(true)
  await act(async () => again.resolve('de novo'))
  await waitFor(() => expect(result.current.isPending).toBe(false))
  expect([labels(), result.current.isSuccess]).toEqual(['de novo', outcome === 'success'])
})

it('does not wait for what is read again where the change is shown already', async () => {
  const { queries, reply, result, send } = commanding({ rereads: [key], apply: () => undefined })
  const answers: (string | Promise<string>)[] = ['lido', open().promise]
  const observer = new QueryObserver(queries, { queryKey: key, queryFn: () => answers.shift() })
  onTestFinished(observer.subscribe(() => undefined))
  await waitFor(() => expect(answers).toHaveLength(1))
  await send()
  await act(async () => reply.resolve('resposta'))
  await waitFor(() => expect(result.current.isSuccess).toBe(true))
  expect(answers).toEqual([])
})

import { type MutationKey, type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type Toast, useToast } from '../toast.ts'
import { failedBecause } from './http.ts'

/** A string stands under 'Sucesso' or 'Erro'; null shows nothing. */
type Words = string | Omit<Toast, 'kind'> | null

export interface Command<Input, Reply> {
  run: (input: Input, queries: QueryClient) => Promise<Reply>
  key?: MutationKey
  /** Shows the expected result, and returns what undoes it after a failure. */
  expect?: (queries: QueryClient, input: Input) => Promise<(() => void) | undefined>
  /** Shows the reply; the toast waits for it. */
  apply?: (queries: QueryClient, reply: Reply, input: Input) => unknown
  done?: Words | ((reply: Reply, input: Input) => Words)
  /** A string gets a refusal's reason added. Without it the caller shows the error. */
  failed?: string | ((error: Error, input: Input) => Words)
  /** Read again after success and failure; pending until then, unless `apply` or `expect` has shown the change. */
  rereads?: readonly QueryKey[] | ((input: Input) => readonly QueryKey[])
}

/** A mutation with its toasts and cache changes. */
export const useCommand = <Input, Reply>(command: Command<Input, Reply>) => {
  const queries = useQueryClient()
  const toast = useToast()
  const { run, key, expect, apply, done = null, failed = null, rereads = [] } = command
  const show = (kind: 'success' | 'error', words: Words) => {
    if (words === null) return
    const title = kind === 'success' ? 'Sucesso' : 'Erro'
    toast({ ...(typeof words === 'string' ? { title, description: words } : words), kind })
  }
  return useMutation({
    ...(key && { mutationKey: key }),
    mutationFn: (input: Input) => run(input, queries),
    onMutate: (input) => expect?.(queries, input),
    onSuccess: async (reply, input) => {
      await apply?.(queries, reply, input)
      show('success', typeof done === 'function' ? done(reply, input) : done)
    },
    onError: (error, input, undo) => {
      undo?.()
      show('error', typeof failed === 'string' ? failedBecause(failed, error) : (failed?.(error, input) ?? null))
    },
    onSettled: (_reply, _error, input) => {
      const keys = typeof rereads === 'function' ? rereads(input) : rereads
      const rereading = Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
      return apply || expect ? undefined : rereading
    },
  })
}

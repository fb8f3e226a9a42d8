import type { ContactField } from '@prosa/contracts/http/contact-details'
import type { AnswerType } from '@prosa/contracts/values/answers/answer-type'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../http/call.ts'
import { useCommand } from '../http/use-command.ts'

/** By name; pushes refresh it. */
export const contactFieldsQuery = queryOptions({
  queryKey: ['contact-fields'],
  queryFn: ({ signal }) => call('GET /api/contact-fields', { signal }),
  staleTime: 30_000,
})

const none: readonly ContactField[] = []

/** Empty until they are read. */
export const useContactFields = (): readonly ContactField[] => useQuery(contactFieldsQuery).data ?? none

export type FieldType = Exclude<AnswerType, 'file'>

const rereads = [contactFieldsQuery.queryKey]

export const useCreateContactField = () =>
  useCommand({
    run: (body: { name: string; type: FieldType }) => call('POST /api/contact-fields', { body }),
    rereads,
  })

export const useRenameContactField = () =>
  useCommand({
    run: ({ id, name }: { id: string; name: string }) =>
      call('PATCH /api/contact-fields/:id', { params: { id }, body: { name } }),
    rereads,
  })

export const useDeleteContactField = () =>
  useCommand({
    run: (id: string) => call('DELETE /api/contact-fields/:id', { params: { id } }),
    failed: 'O campo não foi excluído.',
    rereads,
  })

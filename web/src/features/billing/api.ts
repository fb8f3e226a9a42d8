import type { Transaction } from '@prosa/contracts/http/accounts/transactions'
import { queryOptions } from '@tanstack/react-query'
import { call, callPage } from '../../lib/http/call.ts'
import { type PagedList, usePagedList } from '../../lib/http/use-paged-list.ts'

export const offeredPlansQuery = queryOptions({
  queryKey: ['billing', 'plans'],
  queryFn: ({ signal }) => call('GET /api/kiwify-plans', { signal }),
})

export const upgradeQuery = queryOptions({
  queryKey: ['billing', 'upgrade'],
  queryFn: ({ signal }) => call('GET /api/kiwify/upgrade', { signal }),
})

export const useOwnTransactions = (): PagedList<Transaction> =>
  usePagedList<Transaction>({
    queryKey: ['billing', 'transactions'],
    load: async (cursor) => {
      const { items, next } = await callPage('GET /api/kiwify/transactions', { query: { cursor } })
      return { items, nextCursor: next }
    },
  })

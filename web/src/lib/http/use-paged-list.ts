import type { Page } from '@prosa/contracts/http/page'
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { forgetDeclined } from './reading-purpose.ts'

interface Asked<Item> {
  /** Begins with the key that commands invalidate and ends with the filters. */
  queryKey: QueryKey
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>
  /** Refetches all loaded pages. */
  refetchIntervalMs?: number
}

export interface PagedList<Item> {
  rows: readonly Item[] | undefined
  error: Error | null
  retry: () => void
  hasMore: boolean
  loadingMore: boolean
  loadMore: () => void
}

export const usePagedList = <Item>({
  queryKey,
  load,
  refetchIntervalMs,
}: Asked<Item>): PagedList<Item> & { firstPage: Page<Item> | undefined } => {
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: refetchIntervalMs ?? false,
    // Another administrator may have changed it since.
    staleTime: 0,
  })
  return {
    firstPage: pages.data?.pages[0],
    rows: pages.data?.pages.flatMap(({ items }) => items),
    error: pages.error,
    retry: () => {
      forgetDeclined()
      void (pages.data ? pages.fetchNextPage() : pages.refetch())
    },
    hasMore: pages.hasNextPage,
    loadingMore: pages.isFetchingNextPage,
    loadMore: () => void pages.fetchNextPage(),
  }
}

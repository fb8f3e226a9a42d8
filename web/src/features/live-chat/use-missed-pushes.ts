import { type InfiniteData, type Query, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import { distrustPushes } from '../../lib/realtime/live-pace.ts'
import { keys } from './api.ts'

/** Maximum time between a push and a poll with the same update, else pushes are late. */
const maximumLagMs = 3000

/** Updates appear at the top; other pages load by scrolling. */
const topOf = ({ queryKey, state }: Query): unknown =>
  queryKey[1] === keys.lists[1] ? (state.data as InfiniteData<unknown> | undefined)?.pages[0] : undefined

/** After such a poll polling is fast again. */
export const useMissedPushes = (lastPushMs: RefObject<number>): void => {
  const client = useQueryClient()
  useEffect(() => {
    const tops = new WeakMap<Query, unknown>()
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const stop = client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success') return
      const top = topOf(event.query)
      const before = tops.get(event.query)
      tops.set(event.query, top)
      if (top === undefined || before === undefined || before === top) return
      const since = performance.now() - maximumLagMs
      const timer = setTimeout(() => {
        timers.delete(timer)
        if (lastPushMs.current < since) distrustPushes()
      }, maximumLagMs)
      timers.add(timer)
    })
    return () => {
      stop()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [client, lastPushMs])
}

import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'

const none: readonly string[] = []

/** Replaces the history entry, so that the browser's back leaves the list. `others`: parameters that another value does without. */
export const useAddressFilter = (name: string, others = none): [value: string, set: (value: string) => void] => {
  const [searchParams, setSearchParams] = useSearchParams()
  const set = useCallback(
    (value: string) =>
      setSearchParams(
        (before) => {
          const after = new URLSearchParams(before)
          for (const other of others) after.delete(other)
          if (value === '') after.delete(name)
          else after.set(name, value)
          return after
        },
        { replace: true, preventScrollReset: true },
      ),
    [name, others, setSearchParams],
  )
  return [searchParams.get(name) ?? '', set]
}

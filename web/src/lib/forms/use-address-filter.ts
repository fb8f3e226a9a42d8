import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'

/** Replaces the history entry, so that the browser's back leaves the list. */
export const useAddressFilter = (name: string): [value: string, set: (value: string) => void] => {
  const [searchParams, setSearchParams] = useSearchParams()
  const set = useCallback(
    (value: string) =>
      setSearchParams(
        (before) => {
          const after = new URLSearchParams(before)
          if (value === '') after.delete(name)
          else after.set(name, value)
          return after
        },
        { replace: true, preventScrollReset: true },
      ),
    [name, setSearchParams],
  )
  return [searchParams.get(name) ?? '', set]
}

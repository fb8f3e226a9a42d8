import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'
import { thenParameters } from '../past-addresses.ts'

/** The record of a page of history; another one is not shown as the former was. */
export const useRecordFilter = (): [value: string, set: (value: string) => void] => {
  const [searchParams, setSearchParams] = useSearchParams()
  const set = useCallback(
    (value: string) =>
      setSearchParams(
        (before) => {
          const after = new URLSearchParams(before)
          for (const name of ['registro', ...thenParameters]) after.delete(name)
          if (value !== '') after.set('registro', value)
          return after
        },
        { replace: true, preventScrollReset: true },
      ),
    [setSearchParams],
  )
  return [searchParams.get('registro') ?? '', set]
}

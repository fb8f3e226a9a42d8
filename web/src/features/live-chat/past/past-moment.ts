import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'
import { contactParameter, momentParameter, paths } from '../../../lib/paths.ts'

export const presentAddress = (contactId: string | null): string =>
  contactId === null ? paths.liveChat : `${paths.liveChat}?${new URLSearchParams({ [contactParameter]: contactId })}`

/** The address carries moment and conversation; stepping through time replaces it, so that back leaves the past. */
export const usePastAddress = () => {
  const [parameters, setParameters] = useSearchParams()
  const change = useCallback(
    (name: string, value: string | null, replace: boolean) =>
      setParameters(
        (before) => {
          const after = new URLSearchParams(before)
          if (value === null) after.delete(name)
          else after.set(name, value)
          return after
        },
        { replace },
      ),
    [setParameters],
  )
  return {
    contactId: parameters.get(contactParameter),
    goTo: useCallback((em: string) => change(momentParameter, em, true), [change]),
    open: useCallback((id: string | null) => change(contactParameter, id, id !== null), [change]),
  }
}

const moment = new Intl.DateTimeFormat('pt-BR', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const second = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'medium' })

/** Not a token, which `Date.parse` may take for a year. */
export const isInstant = (em: string): boolean => /^\d{4}-\d\d-\d\dT/.test(em) && !Number.isNaN(Date.parse(em))

/** '12/11/2026 14:32' */
export const momentName = (at: string): string => moment.format(Date.parse(at)).replace(', ', ' ')
export const momentWithSeconds = (at: string): string => second.format(Date.parse(at)).replace(', ', ' ')

import { useSetAtom } from 'jotai'
import { useLayoutEffect } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { queueIn } from '../../lib/account/queue-address.ts'
import { queueAtom, queueParameter } from '../../lib/account/waiting.ts'

/** Opens the list that the address names, which then leaves it: the next one is chosen by keys faster than addresses change. */
export const QueueOfAddress = () => {
  const [parameters, setParameters] = useSearchParams()
  const { state } = useLocation()
  const choose = useSetAtom(queueAtom)
  const asked = queueIn(parameters)
  useLayoutEffect(() => {
    if (asked) choose(asked)
    const others = new URLSearchParams(parameters)
    others.delete(queueParameter)
    setParameters(others, { replace: true, state })
  }, [asked, parameters, state, choose, setParameters])
  return null
}

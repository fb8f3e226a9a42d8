import type { Queue } from '@prosa/contracts/http/live-chat'
import { useSetAtom } from 'jotai'
import { useLayoutEffect } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { paths } from '../paths.ts'
import { queueAtom, queueParameter } from './waiting.ts'

const queueWords: Record<string, Queue> = {
  aguardando: 'waiting',
  robo: 'bot',
  atendendo: 'attending',
  resolvidos: 'resolved',
}

/** Of live chat with this list open. */
export const queueAddress = (queue: Queue): string => {
  const [word = ''] = Object.entries(queueWords).find(([, named]) => named === queue) ?? []
  return `${paths.liveChat}?${queueParameter}=${word}`
}

/** Opens the list that the address names, which then leaves it: the next one is chosen by keys faster than addresses change. */
export const QueueOfAddress = () => {
  const [parameters, setParameters] = useSearchParams()
  const { state } = useLocation()
  const choose = useSetAtom(queueAtom)
  const queue = queueWords[parameters.get(queueParameter) ?? '']
  useLayoutEffect(() => {
    if (queue) choose(queue)
    const others = new URLSearchParams(parameters)
    others.delete(queueParameter)
    setParameters(others, { replace: true, state })
  }, [queue, parameters, state, choose, setParameters])
  return null
}

import { useCallback, useRef, useState } from 'react'
import { ApiProblem } from '../../../lib/http/http.ts'
import { useToast } from '../../../lib/toast.ts'
import type { History } from '../history-page.ts'
import type { Target } from './use-jump.ts'

/** `goTo` first loads the messages around it; true when it exists. */
export const useTarget = (loaded: History, load: (messageId: string) => Promise<void>) => {
  const toast = useToast()
  const [target, setTarget] = useState<Target | null>(null)
  const latest = useRef(loaded)
  latest.current = loaded
  const goTo = useCallback(
    async (messageId: string) => {
      try {
        if (!latest.current.messages.some(({ id }) => id === messageId)) await load(messageId)
        setTarget((before) => ({ messageId, number: (before?.number ?? 0) + 1 }))
        return true
      } catch (error) {
        const gone = error instanceof ApiProblem && error.status === 404
        toast({
          kind: 'info',
          title: gone ? 'Esta mensagem não está mais aqui' : 'A mensagem não pôde ser aberta',
          description: gone ? 'Ela é anterior ao que o Prosa guardou.' : 'Tente de novo em instantes.',
        })
        return false
      }
    },
    [load, toast],
  )
  return { target, goTo }
}

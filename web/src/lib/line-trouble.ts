import { useReadingPaused } from './reading-pause.ts'
import { useLine } from './socket.tsx'

interface LineTrouble {
  tone: 'bad' | 'busy'
  words: string
}

/** Why what is shown may be old, in words; null while all is well. */
export const useLineTrouble = (): LineTrouble | null => {
  const line = useLine()
  const isPaused = useReadingPaused()
  if (line === 'offline') return { tone: 'bad', words: 'Sem internet' }
  if (line === 'crowded') return { tone: 'busy', words: 'Abas demais abertas' }
  if (line === 'reconnecting') return { tone: 'busy', words: 'Reconectando...' }
  return isPaused ? { tone: 'busy', words: 'Atualizando em instantes' } : null
}

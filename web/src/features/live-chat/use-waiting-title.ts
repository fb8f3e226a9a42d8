import { useEffect } from 'react'

/** The browser tab says how many are waiting. */
export const useWaitingTitle = (waiting: number): void => {
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}Bate Papo ao vivo · Prosa`
  }, [waiting])
}

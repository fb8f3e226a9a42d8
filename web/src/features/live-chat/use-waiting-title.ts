import { useEffect } from 'react'
import { waitingIcon } from './waiting-icon.ts'

/** The browser tab says how many are waiting, in its title and, while live chat is open, on its icon. */
export const useWaitingTitle = (waiting: number): void => {
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}Bate Papo ao vivo · Prosa`
  }, [waiting])

  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (!icon || waiting === 0) return
    const plain = icon.href
    icon.href = waitingIcon(waiting)
    return () => {
      icon.href = plain
    }
  }, [waiting])
}

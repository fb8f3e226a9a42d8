import { useEffect } from 'react'
import { waitingIcon } from './waiting-icon.ts'

let screenTitle = 'Prosa'
let waitingCount = 0

const show = () => {
  document.title = `${waitingCount > 0 ? `(${waitingCount}) ` : ''}${screenTitle}`
}

/** The browser tab is called after the screen that is open. */
export const useScreenTitle = (title: string): void => {
  useEffect(() => {
    screenTitle = `${title} · Prosa`
    show()
  }, [title])
}

/** The browser tab shows how many are waiting, in its title and on its icon, whichever screen is open. */
export const useWaitingTab = (waiting: number): void => {
  useEffect(() => {
    waitingCount = waiting
    show()
    return () => {
      waitingCount = 0
      show()
    }
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

import { useEffect } from 'react'
import { waitingIcon } from './waiting-icon.ts'

let screenTitle = 'Prosa'
let waitingCount = 0

const show = () => {
  document.title = `${waitingCount > 0 ? `(${waitingCount}) ` : ''}${screenTitle}`
}

export const useScreenTitle = (title: string): void => {
  useEffect(() => {
    screenTitle = `${title} · Prosa`
    show()
  }, [title])
}

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

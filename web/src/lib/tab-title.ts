import { atom, type PrimitiveAtom } from 'jotai'
import { useEffect } from 'react'
import { pageStore } from './page-store.ts'
import { waitingIcon } from './waiting-icon.ts'

const screenAtom = atom('Prosa')
const waitingAtom = atom(0)
const titleAtom = atom((get) => `${get(waitingAtom) > 0 ? `(${get(waitingAtom)}) ` : ''}${get(screenAtom)}`)

const show = <Value>(part: PrimitiveAtom<Value>, value: Value) => {
  pageStore.set(part, value as never)
  document.title = pageStore.get(titleAtom)
}

export const useScreenTitle = (title: string): void => {
  useEffect(() => show(screenAtom, `${title} · Prosa`), [title])
}

export const useWaitingTab = (waiting: number): void => {
  useEffect(() => {
    show(waitingAtom, waiting)
    return () => show(waitingAtom, 0)
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

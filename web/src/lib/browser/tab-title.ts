import { atom, type PrimitiveAtom } from 'jotai'
import { useEffect } from 'react'
import { pageStore } from './page-store.ts'

/** `--primary` and `--accent` of the light theme: a tab's icon cannot read CSS variables. */
const green = '#0B6B57'
const waitingColour = '#B4451F'

/** '9+' above 9. */
const waitingIcon = (waiting: number): string => {
  const count = waiting > 9 ? '9+' : String(waiting)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="${green}" d="M9 3h14a6 6 0 0 1 6 6v9a6 6 0 0 1-6 6h-8.2l-6.1 4.7A1.05 1.05 0 0 1 7 27.9V23.7A6 6 0 0 1 3 18V9a6 6 0 0 1 6-6Z"/><circle cx="21" cy="21" r="11" fill="${waitingColour}"/><text x="21" y="26" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" font-size="14" fill="#fff">${count}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

const screenAtom = atom('Prosa')
const waitingAtom = atom('')
const titleAtom = atom((get) => `${get(waitingAtom) && `(${get(waitingAtom)}) `}${get(screenAtom)}`)

const show = <Value>(part: PrimitiveAtom<Value>, value: Value) => {
  pageStore.set(part, value as never)
  document.title = pageStore.get(titleAtom)
}

export const useScreenTitle = (title: string): void => {
  useEffect(() => show(screenAtom, `${title} · Prosa`), [title])
}

/** `words`: in the title, e.g. '3, 1 pediu uma pessoa'. */
export const useWaitingTab = (waiting: number, words: string): void => {
  useEffect(() => {
    show(waitingAtom, words)
    return () => show(waitingAtom, '')
  }, [words])

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

import { atom, useAtomValue } from 'jotai'
import { inPage, pageStore } from './page-store.ts'

/** Stored per browser, not per user. */
export interface AlertChoice {
  sound: boolean
  notifications: boolean
}

const storageKey = 'prosa-alerts'

const stored = (): Partial<AlertChoice> => {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}') ?? {}
  } catch (error) {
    console.warn('O navegador não permite ler a escolha dos avisos.', error)
    return {}
  }
}

const initialAtom = atom<AlertChoice>({ sound: true, notifications: false })
/** Read from the storage when first needed. */
const storedAtom = atom(stored)
const changedAtom = atom<Partial<AlertChoice>>({})
const chosenAtom = atom((get) => ({ ...get(storedAtom), ...get(changedAtom) }))
const choiceAtom = atom((get): AlertChoice => ({ ...get(initialAtom), ...get(chosenAtom) }))

export const alertChoice = (): AlertChoice => pageStore.get(choiceAtom)

/** The company's default for browsers without a choice. */
export const wishNotifications = (notifications: boolean): void =>
  pageStore.set(initialAtom, (initial) => ({ ...initial, notifications }))

export const chooseAlerts = (change: Partial<AlertChoice>): void => {
  pageStore.set(changedAtom, (changed) => ({ ...changed, ...change }))
  try {
    localStorage.setItem(storageKey, JSON.stringify(pageStore.get(chosenAtom)))
  } catch (error) {
    console.warn('O navegador não permite guardar a escolha dos avisos.', error)
  }
}

export const useAlertChoice = (): AlertChoice => useAtomValue(choiceAtom, inPage)

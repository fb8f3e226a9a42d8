import { useSyncExternalStore } from 'react'

/** How a message is announced that arrives while its chat is not in view; kept per browser, whoever uses it. */
export interface AlertChoice {
  sound: boolean
  notifications: boolean
}

const storageKey = 'prosa-alerts'
/** Notifications need a permission that is asked for first. */
const initial: AlertChoice = { sound: true, notifications: false }
const listeners = new Set<() => void>()

const stored = (): AlertChoice => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    return { ...initial, ...(typeof kept === 'object' ? kept : {}) }
  } catch (error) {
    console.warn('O navegador não permite ler a escolha dos avisos.', error)
    return initial
  }
}

let choice: AlertChoice | undefined

/** What this browser chose. */
export const alertChoice = (): AlertChoice => {
  choice ??= stored()
  return choice
}

/** Holds from now on and, where the browser allows storage, at the next visit. */
export const chooseAlerts = (change: Partial<AlertChoice>): void => {
  choice = { ...alertChoice(), ...change }
  try {
    localStorage.setItem(storageKey, JSON.stringify(choice))
  } catch (error) {
    console.warn('O navegador não permite guardar a escolha dos avisos.', error)
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useAlertChoice = (): AlertChoice => useSyncExternalStore(subscribe, alertChoice)

import { useSyncExternalStore } from 'react'

/** Stored per browser, not per user. */
export interface AlertChoice {
  sound: boolean
  notifications: boolean
}

const storageKey = 'prosa-alerts'
const initial: AlertChoice = { sound: true, notifications: false }
const listeners = new Set<() => void>()

const stored = (): Partial<AlertChoice> => {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}') ?? {}
  } catch (error) {
    console.warn('O navegador não permite ler a escolha dos avisos.', error)
    return {}
  }
}

let chosen: Partial<AlertChoice> | undefined
let choice: AlertChoice | undefined

export const alertChoice = (): AlertChoice => {
  chosen ??= stored()
  choice ??= { ...initial, ...chosen }
  return choice
}

const showChanged = () => {
  choice = undefined
  for (const listener of listeners) listener()
}

/** The company's default for browsers without a choice. */
export const wishNotifications = (notifications: boolean): void => {
  initial.notifications = notifications
  showChanged()
}

export const chooseAlerts = (change: Partial<AlertChoice>): void => {
  chosen = { ...(chosen ?? stored()), ...change }
  try {
    localStorage.setItem(storageKey, JSON.stringify(chosen))
  } catch (error) {
    console.warn('O navegador não permite guardar a escolha dos avisos.', error)
  }
  showChanged()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useAlertChoice = (): AlertChoice => useSyncExternalStore(subscribe, alertChoice)

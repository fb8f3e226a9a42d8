import { useSyncExternalStore } from 'react'

export type TableDensity = 'comfortable' | 'compact'

const storageKey = 'prosa-table-density'
const listeners = new Set<() => void>()

const stored = (): TableDensity => {
  try {
    return localStorage.getItem(storageKey) === 'compact' ? 'compact' : 'comfortable'
  } catch {
    return 'comfortable'
  }
}

let density = stored()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const chooseTableDensity = (chosen: TableDensity): void => {
  density = chosen
  try {
    localStorage.setItem(storageKey, chosen)
  } catch (error) {
    console.warn('O navegador não permite guardar a densidade das tabelas.', error)
  }
  for (const listener of listeners) listener()
}

export const useTableDensity = (): TableDensity => useSyncExternalStore(subscribe, () => density)

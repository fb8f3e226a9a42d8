import { useSyncExternalStore } from 'react'

export type ThemeChoice = 'light' | 'dark' | 'system'

/** public/theme-choice.js reads this key before the first paint. */
const storageKey = 'prosa-theme'
const listeners = new Set<() => void>()

const current = (): ThemeChoice => {
  const chosen = document.documentElement.dataset.theme
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const chooseTheme = (choice: ThemeChoice): void => {
  if (choice === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = choice
  try {
    localStorage.setItem(storageKey, choice)
  } catch (error) {
    console.warn('O navegador não permite guardar o tema escolhido.', error)
  }
  for (const listener of listeners) listener()
}

export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, current)

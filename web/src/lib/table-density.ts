import { atom, useAtomValue } from 'jotai'
import { inPage, pageStore } from './browser/page-store.ts'

export type TableDensity = 'comfortable' | 'compact'

const storageKey = 'prosa-table-density'

const stored = (): TableDensity => {
  try {
    return localStorage.getItem(storageKey) === 'compact' ? 'compact' : 'comfortable'
  } catch {
    return 'comfortable'
  }
}

const densityAtom = atom(stored())

export const chooseTableDensity = (chosen: TableDensity): void => {
  pageStore.set(densityAtom, chosen)
  try {
    localStorage.setItem(storageKey, chosen)
  } catch (error) {
    console.warn('O navegador não permite guardar a densidade das tabelas.', error)
  }
}

export const useTableDensity = (): TableDensity => useAtomValue(densityAtom, inPage)

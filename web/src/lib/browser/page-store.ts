import { createStore } from 'jotai'

/**
 * State of the page, whoever is signed in, which requests, the socket and timers change where no hook reaches. Screens' state is in the
 * user's store (app-shell).
 */
export const pageStore = createStore()

/** For `useAtomValue`. */
export const inPage = { store: pageStore }

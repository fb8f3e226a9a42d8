import { z } from 'zod'

export const unknownPage = 'Esta página não existe. Volte ao começo da lista.'

/** The previous page's `prosa-next-cursor`. */
export const cursor = z.string({ error: unknownPage }).max(300, unknownPage)

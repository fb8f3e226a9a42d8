import { z } from 'zod'

export const unknownPage = 'Esta página não existe. Volte ao começo da lista.'

/** Of a query: what `prosa-next-cursor` of the page before had. */
export const cursor = z.string({ error: unknownPage }).max(300, unknownPage)

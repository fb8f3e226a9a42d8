import { z } from 'zod'
import { maximumSearchLength } from '../values/lengths.ts'
import { cursor } from './cursor.ts'

/** What somebody typed into the search of a list. */
export const search = z
  .string({ error: 'Escreva uma só busca.' })
  .max(maximumSearchLength, `A busca pode ter no máximo ${maximumSearchLength} caracteres.`)
  .refine((text) => !text.includes('\0'), 'A busca tem um caractere que não existe em textos.')

/** The query of a list that is read page by page; `cursor` is the `nextCursor` of the page before. More filters: `pageQuery.extend`. */
export const pageQuery = z.object({ cursor: cursor.optional() })

/** The same of a list that can be searched. */
export const searchedPageQuery = pageQuery.extend({ search: search.optional() })

/** A page of a list: pages follow each other by the key of their last row, never by a number of rows. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    /** Null on the last page. */
    nextCursor: z.string().nullable(),
  })

export interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}

import { z } from 'zod'
import { maximumSearchLength } from '../values/lengths.ts'
import { cursor } from './cursor.ts'

export const search = z
  .string({ error: 'Escreva uma só busca.' })
  .max(maximumSearchLength, `A busca pode ter no máximo ${maximumSearchLength} caracteres.`)
  .refine((text) => !text.includes('\0'), 'A busca tem um caractere que não existe em textos.')

export const pageQuery = z.object({ cursor: cursor.optional() })

export const searchedPageQuery = pageQuery.extend({ search: search.optional() })

/** Paged by key, never by offset. */
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

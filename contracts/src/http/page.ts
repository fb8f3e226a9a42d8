import { z } from 'zod'
import { maximumSearchLength } from '../values/lengths.ts'
import { cursor } from './cursor.ts'

export const search = z
  .string({ error: 'Escreva uma só busca.' })
  .max(maximumSearchLength, `A busca pode ter no máximo ${maximumSearchLength} caracteres.`)
  .refine((text) => !text.includes('\0'), 'A busca tem um caractere que não existe em textos.')

export const pageQuery = z.object({ cursor: cursor.optional() })

/** Of lists in which people are searched for: what is typed is in no URL. A POST takes it (docs/decisions/0092). */
export const withoutSearch = {
  search: z
    .never({ error: 'A busca não vai no endereço, que fica em registros de acesso. Envie-a com POST.' })
    .optional(),
}

/** The same filters with a search, as a body. */
export const searchedBody = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) =>
  z.strictObject(
    { ...shape, search: search.optional() },
    { error: ({ code }) => (code === 'unrecognized_keys' ? 'Há campos que não podem ser enviados aqui.' : undefined) },
  )

/** Only where codes are searched for. */
export const searchedPageQuery = pageQuery.extend({ search: search.optional() })

const day = z.iso.date({ error: 'Informe a data como AAAA-MM-DD.' })

/** In São Paulo, inclusive. With `areInOrder`. */
export const days = { from: day.optional(), to: day.optional() }

export const areInOrder = ({ from, to }: { from?: string | undefined; to?: string | undefined }): boolean =>
  from === undefined || to === undefined || from <= to

export const wrongDays = { error: 'O último dia vem antes do primeiro. Troque as datas.', path: ['to'] }

/** A cursor belongs to one of them. */
export const sorting = <const By extends readonly [string, ...string[]]>(columns: By) => ({
  sort: z.enum(columns, { error: 'Escolha uma coluna da lista.' }).optional(),
  order: z.enum(['asc', 'desc'], { error: 'Escolha crescente ou decrescente.' }).optional(),
})

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

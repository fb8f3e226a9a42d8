import { maximumTextLength } from './lengths.ts'

/** The name by which one speaks to a person: 'Ana' of 'Ana Souza'; '' of what is no name. */
export const firstNameOf = (name: string | null): string => {
  const [first = ''] = name?.trim().split(/\s+/) ?? []
  return /\p{L}/u.test(first) ? first : ''
}

/**
 * A text of the business with the contact's first name for `{nome}` and its own name for `{empresa}`; where there is none, also
 * without the blank before it.
 */
export const filledText = (content: string, nome: string, empresa: string): string =>
  content.replace(/( ?)\{(nome|empresa)\}/gi, (_, blank: string, field: string) => {
    const value = field.toLowerCase() === 'nome' ? nome : empresa
    return value && blank + value
  })

/** As much of a text as WhatsApp takes, without half a character at its end. */
export const sendableText = (text: string): string => text.slice(0, maximumTextLength).replace(/[\ud800-\udbff]$/, '')

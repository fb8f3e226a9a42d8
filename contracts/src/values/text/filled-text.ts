import { maximumTextLength } from '../lengths.ts'

/** 'Ana Souza' → 'Ana'; '' without a name. */
export const firstNameOf = (name: string | null): string => {
  const [first = ''] = name?.trim().split(/\s+/) ?? []
  return /\p{L}/u.test(first) ? first : ''
}

/** An empty value removes the space before it too. */
export const filledText = (content: string, nome: string, empresa: string): string =>
  content.replace(/( ?)\{(nome|empresa)\}/gi, (_, blank: string, field: string) => {
    const value = field.toLowerCase() === 'nome' ? nome : empresa
    return value && blank + value
  })

/** Never cut inside a surrogate pair. */
export const sendableText = (text: string): string => text.slice(0, maximumTextLength).replace(/[\ud800-\udbff]$/, '')

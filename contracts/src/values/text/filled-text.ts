import { maximumTextLength } from '../lengths.ts'

/** 'Ana Souza' → 'Ana'; '' without a name. */
export const firstNameOf = (name: string | null): string => {
  const [first = ''] = name?.trim().split(/\s+/) ?? []
  return /\p{L}/u.test(first) ? first : ''
}

/** An empty value removes the space before it too. `fields`: by variable, own fields of the contact; other names stay as they are. */
export const filledText = (
  content: string,
  nome: string,
  empresa: string,
  fields: Readonly<Record<string, string>> = {},
): string => {
  const values: Readonly<Record<string, string>> = { ...fields, nome, empresa }
  return content.replace(/( ?)\{([a-z][a-z0-9_]{0,39})\}/gi, (whole, blank: string, name: string) => {
    const value = Object.hasOwn(values, name.toLowerCase()) ? (values[name.toLowerCase()] ?? '') : undefined
    if (value === undefined) return whole
    return value && blank + value
  })
}

/** Never cut inside a surrogate pair. */
export const sendableText = (text: string): string => text.slice(0, maximumTextLength).replace(/[\ud800-\udbff]$/, '')

import { maximumTextLength } from '../lengths.ts'
import { sendableText } from './filled-text.ts'

const variable = /( ?)\{([a-z][a-z0-9_]{0,39})\}/gi

/** Removes unset variables with the blank before them. Template and result are limited to WhatsApp's text length. */
export const filledVariables = (text: string, values: Readonly<Record<string, string>>): string => {
  const template = text.slice(0, maximumTextLength)
  let filled = ''
  let at = 0
  for (const { 0: written, 1: blank = '', 2: name = '', index } of template.matchAll(variable)) {
    const field = name.toLowerCase()
    const value = Object.hasOwn(values, field) ? values[field] : ''
    filled += template.slice(at, index) + (value ? blank + value.slice(0, maximumTextLength) : '')
    at = index + written.length
    if (filled.length >= maximumTextLength) return sendableText(filled)
  }
  return sendableText(filled + template.slice(at))
}

import { maximumTextLength } from '@prosa/contracts/values/lengths'

/**
 * A text of a flow with its variables filled in, as `filledText` does it for the name; what nobody has set is left out, with the
 * blank before it. Never longer than WhatsApp takes.
 */
export const filledVariables = (text: string, values: Readonly<Record<string, string>>): string =>
  text
    .replace(/( ?)\{([a-z][a-z0-9_]{0,39})\}/gi, (_, blank: string, name: string) => {
      const field = name.toLowerCase()
      const value = Object.hasOwn(values, field) ? values[field] : ''
      return value ? blank + value : ''
    })
    .slice(0, maximumTextLength)

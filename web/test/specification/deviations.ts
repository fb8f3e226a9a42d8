/** Texts that the product does not show, with words of their row in `docs/decisions/specification.md`. */
export const deviations: Readonly<Record<string, string>> = {
  Conectado: 'a sentence that begins with its words',
}

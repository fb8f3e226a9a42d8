/** With `u`, only lone surrogates match. */
const unstorable = /\0|\p{Surrogate}/u

/** False for text that PostgreSQL cannot store: NUL, lone surrogates. */
export const isStorable = (text: string): boolean => !unstorable.test(text)

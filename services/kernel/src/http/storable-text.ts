/** With the flag `u`, a surrogate is only one that stands alone. */
const unstorable = /\0|\p{Surrogate}/u

/** False for text that PostgreSQL cannot hold: with NUL, or half a character. */
export const isStorable = (text: string): boolean => !unstorable.test(text)

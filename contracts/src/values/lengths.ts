/** Characters of a password, at least (specification, 5). */
export const minimumPasswordLength = 6

/** Characters of a message or a quick reply, at most. */
export const maximumTextLength = 4096

/** Characters that may be looked for, at most. */
export const maximumSearchLength = 100

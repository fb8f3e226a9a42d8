/** Characters of a password, at least (specification, 5). */
export const minimumPasswordLength = 6

/** Characters of a message or a quick reply, at most. */
export const maximumTextLength = 4096

/** Characters of the name that the business gives a contact, at most. */
export const maximumNameLength = 100

/** Characters of a note about a contact, at most; a contact has at most so many notes. */
export const maximumNoteLength = 2000
export const maximumNotes = 200

/** Characters that may be looked for, at most. */
export const maximumSearchLength = 100

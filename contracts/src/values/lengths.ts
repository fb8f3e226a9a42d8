/** Characters of a password, at least (specification, 5). */
export const minimumPasswordLength = 6

/** Characters of a message or a quick reply, at most. */
export const maximumTextLength = 4096
/** A subscriber has at most so many quick replies: all of them are listed at once. */
export const maximumQuickReplies = 500

/** Characters of the name that the business gives a contact, at most. */
export const maximumNameLength = 100

/** Characters of a note about a contact, at most; a contact has at most so many notes. */
export const maximumNoteLength = 2000
export const maximumNotes = 200

/** Characters of a message to support, at most. */
export const maximumSupportSubjectLength = 150
export const maximumSupportMessageLength = 5000
/** Characters of the name of a label, at most; a subscriber has at most so many labels, and a contact so many of them. */
export const maximumLabelLength = 30
export const maximumLabels = 100
export const maximumLabelsOfContact = 20

/** Contacts that one request may put a label on, at most. */
export const maximumContactsAtOnce = 500

/** Characters that may be looked for, at most. */
export const maximumSearchLength = 100

/** Times of being open in one day, at most. */
export const maximumIntervals = 4
/** Holidays of one business, at most, and characters of the name of one. */
export const maximumHolidays = 100
export const maximumHolidayNameLength = 60

/** Characters of what is sent out of hours, at most: the name of the contact is put into it. */
export const maximumOutOfHoursLength = 1000

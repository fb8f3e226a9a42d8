/** Specification, 5. */
export const minimumPasswordLength = 6

export const maximumTextLength = 4096
/** Per tenant; all are listed at once. */
export const maximumQuickReplies = 500

export const maximumNameLength = 100

export const maximumNoteLength = 2000
export const maximumNotes = 200

export const maximumSupportSubjectLength = 150
export const maximumSupportMessageLength = 5000
export const maximumLabelLength = 30
export const maximumLabels = 100
export const maximumLabelsOfContact = 20

/** Own fields of contacts, per tenant. */
export const maximumContactFields = 30
export const maximumFieldValueLength = 500

export const maximumContactsAtOnce = 500

export const maximumSearchLength = 100
/** Of a search that takes what it needs from a pasted line. */
export const maximumPastedLength = 2000

/** Per day. */
export const maximumIntervals = 4
export const maximumHolidays = 100
export const maximumHolidayNameLength = 60

/** Leaves room for the contact's name. */
export const maximumOutOfHoursLength = 1000

/** Nodes and links of one flow, at most. */
export const maximumFlowNodes = 1000
export const maximumFlowLinks = 3000
/** Characters of a text in a draft, at most: one that is too long for WhatsApp is kept, and publishing it is refused. */
export const maximumDraftTextLength = 100_000
export const maximumFlowNameLength = 100
export const maximumFolderDescriptionLength = 300
/** Seconds of a delay or of waiting for an answer, at most: 30 days. */
export const maximumWaitSeconds = 30 * 86_400
/** Messages of a run without a word of the contact, at most: then it ends, and a person is wanted. */
export const maximumUnansweredMessages = 20

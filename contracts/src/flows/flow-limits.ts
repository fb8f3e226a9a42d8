export const maximumFlowNodes = 1000
export const maximumFlowLinks = 3000
/** On the canvas. */
export const maximumFlowNotes = 100
export const maximumNoteLength = 1000
/** Longer than WhatsApp allows; publishing refuses it. */
export const maximumDraftTextLength = 100_000
export const maximumFlowNameLength = 100
export const maximumFolderDescriptionLength = 300
/** 30 days. */
export const maximumWaitSeconds = 30 * 86_400
/** Then the run ends and asks for a person. */
export const maximumUnansweredMessages = 20
/** Of a condition. */
export const maximumComparedTexts = 20
export const maximumMenuLabelLength = 60
/** Of asking again. */
export const maximumMenuAttempts = 5
export const maximumRequestUrlLength = 2000
export const maximumRequestHeaders = 20
export const maximumRequestBodyLength = 20_000
export const maximumRequestResults = 20
export const maximumFlowSecrets = 50
export const maximumFlowSecretLength = 4000

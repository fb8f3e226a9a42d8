/** What only somebody who changes messages sees: fetched together. */
export { DeleteMessageDialog } from './delete-message-dialog.tsx'
export { EditBar } from './edit-bar.tsx'
export { MessageMenu } from './message-menu.tsx'

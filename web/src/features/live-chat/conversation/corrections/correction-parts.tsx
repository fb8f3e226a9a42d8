/** One chunk, for those who change messages. */
export { DeleteMessageDialog } from './delete-message-dialog.tsx'
export { EditBar } from './edit-bar.tsx'
export { MessageMenu } from './message-menu.tsx'
